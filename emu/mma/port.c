/* SPDX-License-Identifier: MIT */
/* Moving an operand between register images and dense images. */
#include <stdlib.h>
#include <string.h>

#include "emu/mma/mma.h"

enum { NO_WORD = 0xffff };

/* The register word that holds all of image word `w` with the same bits in place, or NO_WORD. */
static uint16_t source_word(const lw_mma_port *port, unsigned row, unsigned w)
{
    const unsigned first = w * 32;
    unsigned source = NO_WORD;
    for (unsigned bit = 0; bit < 32; bit += port->width - (first + bit) % port->width) {
        const unsigned e = (first + bit) / port->width; /* element from this bit to its end or the word's */
        if (e >= port->row_elements)
            return NO_WORD;
        const lw_place place = port->place[(size_t)row * port->row_elements + e];
        if (place.lane == LW_NO_PLACE)
            return NO_WORD;
        const unsigned at = place.bit + (first + bit) % port->width;
        const unsigned word = at / 32 * port->lanes + place.lane;
        if (at % 32 != bit || (bit && word != source))
            return NO_WORD;
        source = word;
    }
    return (uint16_t)source;
}

/* The same for all words, where each element lies in one word: the elements of a word must be neighbours in
 * one lane. */
static bool fill_whole_words(lw_mma_port *port)
{
    const unsigned per_word = 32u / port->width, rows = port->elements / port->row_elements;
    const lw_place *place = port->place;
    uint16_t *word = port->word;
    if (port->row_elements % per_word)
        return false;
    for (unsigned n = 0; n < rows * port->row_words; n++, place += per_word) {
        if (place->lane == LW_NO_PLACE || place->bit % 32)
            return false;
        for (unsigned i = 1; i < per_word; i++)
            if (place[i].lane != place->lane || place[i].bit != place->bit + i * port->width)
                return false;
        *word++ = (uint16_t)(place->bit / 32 * port->lanes + place->lane);
    }
    return true;
}

static bool fill_words(lw_mma_port *port)
{
    const unsigned rows = port->elements / port->row_elements;
    if (32 % port->width == 0)
        return fill_whole_words(port);
    for (unsigned row = 0; row < rows; row++)
        for (unsigned w = 0; w < port->row_words; w++) {
            const uint16_t source = source_word(port, row, w);
            if (source == NO_WORD)
                return false;
            port->word[row * port->row_words + w] = source;
        }
    return true;
}

lw_status lw_mma_port_make(const lw_layout *layout, lw_mma_port *port)
{
    const bool has_k =
        layout->relation.ks > 1 || layout->operand == LW_OPERAND_A || layout->operand == LW_OPERAND_B;
    const size_t elements = lw_layout_elements_total(layout);
    lw_mma_port p = { .width = (uint8_t)layout->relation.width,
                      .lanes = (uint8_t)layout->relation.lanes,
                      .elements = (uint16_t)elements };
    p.row_elements = (uint16_t)(has_k ? layout->relation.ks : layout->relation.cols);
    p.row_words = (uint16_t)((p.row_elements * p.width + 31) / 32);
    p.words = (uint16_t)(elements / p.row_elements * p.row_words);
    p.place = malloc(elements * sizeof(*p.place));
    p.word = malloc(p.words * sizeof(*p.word));
    if (!p.place || !p.word) {
        lw_mma_port_free(&p);
        return LW_E_NO_MEMORY;
    }
    lw_layout_fill(layout, p.place);
    if (!fill_words(&p)) {
        free(p.word);
        p.word = NULL;
    }
    *port = p;
    return LW_OK;
}

void lw_mma_port_free(lw_mma_port *port)
{
    free(port->word);
    free(port->place);
    *port = (lw_mma_port){ 0 };
}

/* An element's code; it may cross into the next register of its lane. */
static uint64_t read_element(const lw_mma_port *port, const uint32_t *regs, lw_place place)
{
    if (place.lane == LW_NO_PLACE)
        return 0;
    const uint32_t *word = regs + (size_t)(place.bit / 32) * port->lanes + place.lane;
    const unsigned shift = place.bit % 32;
    uint64_t code = word[0] >> shift;
    if (shift + port->width > 32)
        code |= (uint64_t)word[port->lanes] << (32 - shift);
    return port->width == 64 ? code : code & ((UINT64_C(1) << port->width) - 1);
}

void lw_mma_port_read(const lw_mma_port *port, const uint32_t *regs, uint32_t *image)
{
    if (port->word) {
        for (unsigned w = 0; w < port->words; w++)
            image[w] = regs[port->word[w]];
        return;
    }
    memset(image, 0, port->words * sizeof(*image));
    for (unsigned e = 0; e < port->elements; e++) {
        const uint64_t code = read_element(port, regs, port->place[e]);
        const unsigned at = e % port->row_elements * port->width;
        uint32_t *out = image + (size_t)(e / port->row_elements) * port->row_words + at / 32;
        out[0] |= (uint32_t)(code << at % 32);
        if (at % 32 + port->width > 32)
            out[1] |= (uint32_t)(code >> (32 - at % 32));
    }
}

void lw_mma_port_read_bytes(const lw_mma_port *port, const uint32_t *regs, uint8_t *bytes)
{
    for (unsigned e = 0; e < port->elements; e++)
        bytes[e] = (uint8_t)read_element(port, regs, port->place[e]);
}

static void write_element(const lw_mma_port *port, uint32_t *regs, lw_place place, uint64_t code)
{
    const uint64_t mask = port->width == 64 ? UINT64_MAX : (UINT64_C(1) << port->width) - 1;
    const unsigned shift = place.bit % 32;
    uint32_t *word = regs + (size_t)(place.bit / 32) * port->lanes + place.lane;
    word[0] = (word[0] & ~(uint32_t)(mask << shift)) | (uint32_t)(code << shift);
    if (shift + port->width > 32) {
        uint32_t *next = word + port->lanes;
        *next = (*next & ~(uint32_t)(mask >> (32 - shift))) | (uint32_t)(code >> (32 - shift));
    }
}

void lw_mma_port_write(const lw_mma_port *port, const uint32_t *image, uint32_t *regs)
{
    if (port->word) {
        for (unsigned w = 0; w < port->words; w++)
            regs[port->word[w]] = image[w];
        return;
    }
    for (unsigned e = 0; e < port->elements; e++) {
        const uint32_t *row = image + (size_t)(e / port->row_elements) * port->row_words;
        if (port->place[e].lane != LW_NO_PLACE)
            write_element(port, regs, port->place[e], lw_mma_code(row, e % port->row_elements, port->width));
    }
}
