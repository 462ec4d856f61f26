# SPDX-License-Identifier: MIT
"""What action.yml and the Containerfile run, taken out of these files."""
import os
import re
import subprocess
import sys

ROOT = os.environ['LW_SOURCE_DIR']
SKIPPED = 77


def read(name):
    with open(os.path.join(ROOT, name)) as file:
        return file.read()


def action_steps():
    """[(id, {variable: expression}, commands)] of action.yml. A small reader of what this file uses of YAML, so that the test needs no
    package; where PyYAML is installed, both must agree."""
    steps, text = [], read('action.yml')
    for part in re.split(r'^    - name: ', text[text.index('  steps:\n'):], flags=re.M)[1:]:
        number = re.search(r'^      id: (\w+)$', part, re.M).group(1)
        assert re.search(r'^      shell: bash$', part, re.M), number
        env = dict(re.findall(r'^        (\w+): (\$\{\{ .* \}\})$', part[:part.index('      run: |')], re.M))
        body = part[part.index('      run: |\n') + len('      run: |\n'):]
        lines = [line[8:] for line in body.splitlines() if line.startswith('        ') or not line]
        steps.append((number, env, '\n'.join(lines).rstrip('\n') + '\n'))
    try:
        import yaml
    except ImportError:
        return steps
    loaded = yaml.safe_load(text)['runs']['steps']
    assert [(s['id'], s['env'], s['run'].rstrip('\n') + '\n') for s in loaded] == steps
    return steps


def defaults():
    return {name: '' for name in re.findall(r'^  (\w+):$', read('action.yml').split('\ninputs:\n')[1].split('\noutputs:\n')[0], re.M)}


def run_action(folder, inputs, source=ROOT, only=None):
    """Runs the steps as GitHub does: bash -eo pipefail, outputs and path through files. Returns (status, output, outputs of steps)."""
    given = dict(dict(defaults(), reports='lanewise-reports'), **inputs)
    outputs, said = {}, ''
    environment = dict(os.environ, RUNNER_TEMP=os.path.join(folder, 'temp'), GITHUB_PATH=os.path.join(folder, 'path'))
    os.makedirs(environment['RUNNER_TEMP'], exist_ok=True)
    for number, env, commands in action_steps():
        def value(expression):
            name = expression[3:-2].strip()
            if name == 'github.action_path':
                return source
            if name.startswith('inputs.'):
                return given[name[7:]]
            step, output = re.fullmatch(r'steps\.(\w+)\.outputs\.(\w+)', name).groups()
            return outputs[step][output]
        filled = {name: value(expression) for name, expression in env.items()}
        report = os.path.join(folder, 'output-' + number)
        open(report, 'w').close()
        done = subprocess.run(['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', commands], cwd=folder,
                              env=dict(environment, GITHUB_OUTPUT=report, **filled), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        said += done.stdout
        with open(report) as file:
            outputs[number] = dict(line.rstrip('\n').split('=', 1) for line in file)
        if done.returncode:
            return done.returncode, said, outputs
    return 0, said, outputs


def skip(why):
    print('skipped: ' + why)
    sys.exit(SKIPPED)
