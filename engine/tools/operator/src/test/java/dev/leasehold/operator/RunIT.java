package dev.leasehold.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.replicaset.ReplicaSet;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithOwnReplicaSet;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tool as a process of its own that runs real commands, some of which do not want to end. */
@DisabledOnOs(OS.WINDOWS)
class RunIT {

    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");
    private static final Path JAR = Path.of(System.getProperty("leasehold.jar"));
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** A build in the background of a shell ignores some signals, and so would all that it starts. */
    private static final List<String> DEFAULT_SIGNALS = defaultSignals();

    @TempDir
    Path folder;

    private final List<Process> tools = new ArrayList<>();

    private static List<String> defaultSignals() {
        List<String> prefix = List.of("env", "--default-signal=HUP,INT,TERM");
        try {
            return isPossible(prefix) ? prefix : List.of();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    private static boolean isPossible(List<String> prefix) throws InterruptedException {
        List<String> line = new ArrayList<>(prefix);
        line.add("true");
        try {
            return new ProcessBuilder(line).start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    @AfterEach
    void endTools() throws InterruptedException {
        for (Process tool : tools) {
            tool.destroyForcibly().waitFor();
        }
    }

    /** A run of the tool that goes on. */
    private Process begin(TestDatabase database, String... arguments) throws IOException {
        return begin(database, System.getenv("PATH"), DEFAULT_SIGNALS, arguments);
    }

    /**
     * A run of the tool in other surroundings.
     *
     * @param path where the tool finds its programs
     * @param prefix the words of a program that starts the tool
     */
    private Process begin(TestDatabase database, String path, List<String> prefix, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(JAVA.toString(), "-XX:TieredStopAtLevel=1", "-jar", JAR.toString(), "run"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().put("PATH", path);
        builder.environment().put("LEASEHOLD_URI", database.uri());
        builder.environment().put("LEASEHOLD_DATABASE", database.name());
        builder.environment().put("LEASEHOLD_NAMESPACE", Tool.NAMESPACE);
        Process process = builder.start();
        tools.add(process);
        return process;
    }

    private Tool.Result run(TestDatabase database, String... arguments) throws IOException, InterruptedException {
        return ended(begin(database, arguments), "");
    }

    private static Tool.Result ended(Process process, String input) throws IOException, InterruptedException {
        process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Tool.Result(process.exitValue(), out, err);
    }

    /** What a command has written into a file, once it has. */
    private String written(String file) {
        Path path = folder.resolve(file);
        return await().atMost(PATIENCE)
                .until(() -> Files.exists(path) ? Files.readString(path).strip() : "", text -> !text.isEmpty());
    }

    private ProcessHandle process(String file) {
        return ProcessHandle.of(Long.parseLong(written(file))).orElseThrow();
    }

    private static void awaitGone(ProcessHandle process) {
        await().atMost(PATIENCE).until(() -> !isRunning(process));
    }

    /** One that was killed stays in the list of processes until its parent has looked, and a stopped parent does not. */
    private static boolean isRunning(ProcessHandle process) throws IOException {
        return isRunning(process.pid());
    }

    private static boolean isRunning(long pid) throws IOException {
        Process ps = new ProcessBuilder("ps", "-o", "stat=", "-p", Long.toString(pid)).start();
        String state = new String(ps.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
        return !state.isEmpty() && !state.startsWith("Z");
    }

    /** How many connections are open that were made for a database. */
    private static int connections(TestDatabase database) {
        return database.client()
                .getDatabase("admin")
                .aggregate(List.of(
                        new Document("$currentOp", new Document("idleConnections", true)),
                        new Document("$match", new Document("appName", database.name()))))
                .into(new ArrayList<>())
                .size();
    }

    /** Whether it watches one of these tools: its arguments name the tool behind a folder. Other builds have watchdogs too. */
    private boolean isWatchdog(ProcessHandle process) {
        String command = process.info().commandLine().orElse("");
        return tools.stream()
                .anyMatch(tool -> command.matches("(?s).*leasehold-watchdog \\S+ " + tool.pid() + " \\d+ \\d+\\s*"));
    }

    /** The folder of the files by which the tool speaks with its watchdog. */
    private Path watchdogFolder() {
        return await().atMost(PATIENCE)
                .until(
                        () -> ProcessHandle.allProcesses()
                                .filter(this::isWatchdog)
                                .map(one -> one.info().commandLine().orElse(""))
                                .map(line -> line.replaceAll("(?s).*leasehold-watchdog (\\S+) .*", "$1"))
                                .findFirst()
                                .map(Path::of),
                        Optional::isPresent)
                .orElseThrow();
    }

    private static void signal(Process process, String signal) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", "-s", signal, Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    @Nested
    @WithReplicaSet
    @DisplayName("A command that is run once for each occurrence")
    class OncePerOccurrence {

        @Test
        @DisplayName(
                "is recorded after exit code 0 only, and a second run ends at once with 0 and says which holder did it")
        void isRecordedAfterSuccessOnly(TestDatabase database) throws Exception {
            assertThat(run(database, "nightly", "--once", "night", "--", "sh", "-c", "echo 1 >>runs; exit 7")
                            .exitCode())
                    .isEqualTo(7);
            Tool.Result first =
                    run(database, "nightly", "--once", "night", "--", "sh", "-c", "echo $LEASEHOLD_HOLDER >holder");
            Tool.Result second = run(database, "nightly", "--once", "night", "--", "sh", "-c", "echo 3 >>runs");
            Tool.Result other = run(database, "nightly", "--once", "day", "--", "sh", "-c", "echo 4 >>runs");

            assertThat(first.exitCode()).isZero();
            assertThat(second.exitCode()).isZero();
            assertThat(second.err())
                    .contains("occurrence 'night' was done by '" + written("holder") + "' under token ")
                    .contains("nothing was run");
            assertThat(other.exitCode()).isZero();
            assertThat(written("runs")).isEqualTo("1\n4");
        }

        @Test
        @DisplayName("is not recorded when its tenure was ended, and the exit code says so")
        void isNotRecordedWhenItsTenureWasEnded(TestDatabase database) throws Exception {
            Process tool = begin(
                    database,
                    "nightly",
                    "--once",
                    "night",
                    "--on-loss",
                    "hup",
                    "--",
                    "sh",
                    "-c",
                    "trap 'exit 0' HUP; echo $$ >started; while :; do sleep 0.1; done");
            written("started");
            Tool.on(database).run("force-expire", "nightly", "--reason", "test", "--yes");

            assertThat(ended(tool, "").exitCode()).isEqualTo(ExitCode.LOST.number());
            assertThat(Tool.on(database)
                            .run("occurrences", "nightly", "--json")
                            .out()
                            .strip())
                    .isIn("[]", "[ ]");
        }

        @Test
        @DisplayName("is listed by the tool, and can be run again after an order with a reason")
        void isListedAndCanBeRunAgain(TestDatabase database) throws Exception {
            run(database, "nightly", "--once", "night", "--", "true");

            Tool.Result listed = Tool.on(database).run("occurrences", "nightly");
            Tool.Result forgotten =
                    Tool.on(database).run("forget-occurrence", "nightly", "night", "--reason", "wrong disk");
            Tool.Result again = Tool.on(database).run("forget-occurrence", "nightly", "night", "--reason", "again");

            assertThat(listed.out()).containsPattern("(?m)^night +[0-9-]+ [0-9:]+Z ");
            assertThat(forgotten.exitCode()).isZero();
            assertThat(forgotten.out()).contains("occurrence 'night', done by ", "can be done again");
            assertThat(again.exitCode()).isEqualTo(ExitCode.NOT_FOUND.number());
            assertThat(run(database, "nightly", "--once", "night", "--", "sh", "-c", "echo ran")
                            .out())
                    .isEqualTo("ran\n");
        }
    }

    @Nested
    @WithReplicaSet
    @EnabledOnOs(OS.LINUX)
    @DisplayName("A command line with characters that the locale does not have, as in a job of cron")
    class InAnotherLocale {

        /** The words behind those of the tool, as bytes: the locale of this build may be any. */
        private Tool.Result run(TestDatabase database, String locale, String words) throws Exception {
            List<String> prefix =
                    List.of("env", "LC_ALL=" + locale, "sh", "-c", "exec \"$@\" " + words + " -- touch ran", "sh");
            return ended(begin(database, System.getenv("PATH"), prefix), "");
        }

        @Test
        @DisplayName("is refused, because the lease would be another one than at a terminal")
        void isRefused(TestDatabase database) throws Exception {
            for (String locale : List.of("C", "C.UTF-8")) {
                Tool.Result refused = run(database, locale, "\"$(printf 'b\\374ro')\"");

                assertThat(refused.exitCode()).as(locale).isEqualTo(2);
                assertThat(refused.err()).as(locale).contains("LC_ALL=C.UTF-8");
            }
            assertThat(run(database, "C", "\"$(printf 'b\\303\\274ro')\"").exitCode())
                    .isEqualTo(2);
            assertThat(folder.resolve("ran")).doesNotExist();
        }

        @Test
        @DisplayName("is carried out where the locale has them")
        void isCarriedOut(TestDatabase database) throws Exception {
            assertThat(run(database, "C.UTF-8", "\"$(printf 'b\\303\\274ro')\"").exitCode())
                    .isZero();
            assertThat(folder.resolve("ran")).exists();
        }
    }

    @Nested
    @WithReplicaSet
    @DisplayName("A command that ends by itself")
    class EndsByItself {

        @Test
        @DisplayName(
                "gets name, holder and token of the lease and the arguments as they are, and its exit code is that of the tool")
        void getsTheLease(TestDatabase database) throws Exception {
            String script =
                    "echo \"$LEASEHOLD_LEASE|$LEASEHOLD_TOKEN|$1\"; test -n \"$LEASEHOLD_HOLDER\"; cat; echo wrong >&2; exit 7";

            Tool.Result result =
                    ended(begin(database, "nightly", "--", "sh", "-c", script, "x", "a  'b' $c"), "typed\n");

            assertThat(result.exitCode()).isEqualTo(7);
            assertThat(result.out()).matches("nightly\\|\\d+\\|a {2}'b' \\$c\\R" + "typed\\R");
            assertThat(result.err()).isEqualToIgnoringNewLines("wrong");
        }

        @Test
        @DisplayName("gets an argument that begins with @ as it is, also if there is such a file")
        void getsNoContentOfFiles(TestDatabase database) throws Exception {
            String file = Files.writeString(folder.resolve("body"), "a 'b c'").toString();

            Tool.Result result = run(database, "@nightly", "--", "echo", "@" + file, "@@x", "--", "-d");

            assertThat(result.exitCode()).as(result.err()).isZero();
            assertThat(result.out().strip()).isEqualTo("@" + file + " @@x -- -d");
        }

        @Test
        @DisplayName("frees the lease when it ends, and each run has a greater token")
        void freesTheLease(TestDatabase database) throws Exception {
            long first = Long.parseLong(run(database, "nightly", "--", "sh", "-c", "echo $LEASEHOLD_TOKEN")
                    .out()
                    .strip());
            long second = Long.parseLong(run(database, "nightly", "--", "sh", "-c", "echo $LEASEHOLD_TOKEN")
                    .out()
                    .strip());

            assertThat(second).isGreaterThan(first);
            try (Service service = Service.on(database, "shop:1")) {
                assertThat(service.engine().tryAcquire("nightly")).isInstanceOf(Acquisition.Acquired.class);
            }
        }

        @Test
        @DisplayName("takes along what it has left behind before the lease is released")
        void takesAlongWhatItLeftBehind(TestDatabase database) throws Exception {
            String script = "trap '' TERM; sleep 600 >/dev/null 2>&1 & echo $! > left; exit 0";

            Tool.Result result = run(database, "nightly", "--grace", "1s", "--", "sh", "-c", script);

            assertThat(result.exitCode()).isZero();
            assertThat(isRunning(Long.parseLong(written("left")))).isFalse();
        }

        @Test
        @DisplayName(
                "keeps the lease for at least the time that was asked for, and not from a process that comes later")
        void keepsTheLeaseForAWhile(TestDatabase database) throws Exception {
            Process first = begin(database, "nightly", "--at-least", "10m", "--", "sh", "-c", "echo 1 > done");
            written("done");

            Tool.Result second = run(database, "nightly", "--json", "--", "touch", "ran");

            assertThat(second.exitCode()).isEqualTo(121);
            assertThat(second.jsonError().path("outcome").asText()).isEqualTo("refused");
            assertThat(folder.resolve("ran")).doesNotExist();
            signal(first, "TERM");
            assertThat(ended(first, "").exitCode()).isZero();
            for (String run : List.of("third", "fourth")) {
                assertThat(run(database, "nightly", "--at-least", "1s", "--", "touch", run)
                                .exitCode())
                        .as(run)
                        .isZero();
            }
        }

        @Test
        @DisplayName("keeps the lease no longer after a signal that came while it ran, also if it goes on")
        void keepsTheLeaseNoLongerAfterASignal(TestDatabase database) throws Exception {
            String script = "trap 'echo 1 >> hups' HUP; echo 1 > begun; until [ -e hups ]; do sleep 0.1; done; exit 0";
            Process tool = begin(database, "nightly", "--at-least", "10m", "--", "sh", "-c", script);
            written("begun");

            signal(tool, "HUP");

            assertThat(ended(tool, "").exitCode()).isZero();
        }

        @Test
        @DisplayName("ends with 127 if there is no such program, as in a shell")
        void endsAsInAShell(TestDatabase database) throws Exception {
            assertThat(run(database, "nightly", "--", "no-such-program").exitCode())
                    .isEqualTo(127);
        }
    }

    @Nested
    @WithReplicaSet
    @DisplayName("On a machine")
    class OnAMachine {

        @Test
        @DisplayName("whose first process is the tool, as in a container, a command ends that left something behind")
        void endsAsFirstProcess(TestDatabase database) throws Exception {
            List<String> alone = List.of("unshare", "--pid", "--fork", "--kill-child", "--mount-proc");
            assumeTrue(isPossible(alone), "no process may make a process namespace here");

            Process tool = begin(
                    database,
                    System.getenv("PATH"),
                    alone,
                    "nightly",
                    "--",
                    "sh",
                    "-c",
                    "sleep 600 >/dev/null 2>&1 & exit 7");

            assertThat(tool.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(tool.exitValue()).isEqualTo(7);
        }

        @Test
        @DisplayName("that starts no process for a while, the lease is not released before the command is gone")
        void isNotReleasedEarly(TestDatabase database) throws Exception {
            Path programs = Files.createDirectory(folder.resolve("programs"));
            for (String program : List.of("sh", "setsid", "sleep", "date", "rm")) {
                Files.createSymbolicLink(programs.resolve(program), program(program));
            }
            Process tool = begin(
                    database,
                    programs.toString(),
                    List.of(),
                    "nightly",
                    "--",
                    "sh",
                    "-c",
                    "sleep 600 >/dev/null 2>&1 & echo $! > child; echo $$ > ready; exec sleep 600");
            ProcessHandle child = process("child");
            ProcessHandle command = process("ready");
            Files.delete(programs.resolve("sh"));

            command.destroyForcibly();

            assertThat(tool.waitFor(2, TimeUnit.SECONDS)).isFalse();
            Files.createSymbolicLink(programs.resolve("sh"), program("sh"));
            assertThat(ended(tool, "").exitCode()).isEqualTo(137);
            assertThat(isRunning(child)).isFalse();
        }

        private Path program(String name) {
            return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                    .map(one -> Path.of(one, name))
                    .filter(Files::isExecutable)
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Nested
    @WithReplicaSet
    @DisplayName("A lease that another process holds")
    class HeldByAnother {

        @Test
        @DisplayName("is not waited for by default: nothing is run, and the exit code is 121")
        void isRefused(TestDatabase database) throws Exception {
            try (Service service = Service.on(database, "shop:1")) {
                service.holds("nightly");

                Tool.Result result = run(database, "nightly", "--", "touch", "ran");

                assertThat(result.exitCode()).isEqualTo(121);
                assertThat(result.err()).contains("held by 'h'").contains("nothing was run");
                assertThat(folder.resolve("ran")).doesNotExist();
            }
        }

        @Test
        @DisplayName("is waited for if that is asked, and the command runs when it is free")
        void isWaitedFor(TestDatabase database) throws Exception {
            try (Service service = Service.on(database, "shop:1")) {
                Lease lease = service.holds("nightly");
                int before = connections(database);
                Process tool = begin(database, "nightly", "--wait", "1m", "--", "touch", "ran");
                await().atMost(PATIENCE).until(() -> connections(database) > before + 1);
                assertThat(folder.resolve("ran")).doesNotExist();

                lease.close();

                assertThat(ended(tool, "").exitCode()).isZero();
                assertThat(folder.resolve("ran")).exists();
            }
        }

        @Test
        @DisplayName("is no longer waited for after SIGTERM: nothing is run, and the exit code tells of the signal")
        void isNoLongerWaitedFor(TestDatabase database) throws Exception {
            try (Service service = Service.on(database, "shop:1")) {
                service.holds("nightly");
                int before = connections(database);
                Process tool = begin(database, "nightly", "--wait", "10m", "--", "touch", "ran");
                await().atMost(PATIENCE).until(() -> connections(database) > before + 1);

                signal(tool, "TERM");

                assertThat(ended(tool, "").exitCode()).isEqualTo(143);
                assertThat(folder.resolve("ran")).doesNotExist();
            }
        }
    }

    @Nested
    @WithReplicaSet
    @DisplayName("A signal")
    class OfSignals {

        @ParameterizedTest
        @ValueSource(strings = {"INT", "HUP", "TERM"})
        @DisplayName("that is ignored, as behind nohup, is none by which a command can be told of a loss")
        void isRefusedIfIgnored(String signal, TestDatabase database) throws Exception {
            assumeTrue(Files.exists(Path.of("/proc/self/status")), "this system does not tell what is ignored");
            String onLoss = signal.toLowerCase(Locale.ROOT);

            Process tool = begin(
                    database,
                    System.getenv("PATH"),
                    List.of("sh", "-c", "trap '' " + signal + "; exec \"$@\"", "sh"),
                    "nightly",
                    "--on-loss",
                    onLoss,
                    "--",
                    "touch",
                    "ran");

            Tool.Result result = ended(tool, "");
            assertThat(result.exitCode()).isEqualTo(2);
            assertThat(result.err())
                    .contains("--on-loss " + onLoss + " is refused")
                    .contains("started with SIG" + signal + " ignored");
            assertThat(folder.resolve("ran")).doesNotExist();
        }

        @Test
        @DisplayName("reaches the command as it is, and what the command makes of it counts")
        void reachesTheCommand(TestDatabase database) throws Exception {
            String script = "trap 'exit 41' INT; trap 'exit 42' HUP; echo ready > ready; while :; do sleep 0.1; done";
            for (String signal : List.of("INT", "HUP")) {
                Process tool = begin(database, "nightly", "--", "sh", "-c", script);
                written("ready");

                signal(tool, signal);

                assertThat(ended(tool, "").exitCode()).isEqualTo(signal.equals("INT") ? 41 : 42);
                Files.delete(folder.resolve("ready"));
            }
        }

        @Test
        @DisplayName("that the command does not handle ends it, and the exit code tells so")
        void endsTheCommand(TestDatabase database) throws Exception {
            Process tool = begin(database, "nightly", "--", "sh", "-c", "echo $$ > ready; exec sleep 600");
            written("ready");

            signal(tool, "TERM");

            assertThat(ended(tool, "").exitCode()).isEqualTo(143);
        }
    }

    @Nested
    @WithReplicaSet
    @DisplayName("A lease that is lost")
    class Lost {

        private void forceExpire(TestDatabase database) {
            Tool.Result forced = Tool.on(database).run("force-expire", "nightly", "--reason", "it hangs", "--yes");
            assertThat(forced.exitCode()).as(forced.err()).isZero();
        }

        @Test
        @DisplayName(
                "by an operator's order ends the command by SIGTERM, and the exit code is 122 whatever the command says")
        void endsTheCommand(TestDatabase database) throws Exception {
            String script = "trap 'echo asked > asked; exit 0' TERM; echo $$ > ready; while :; do sleep 0.1; done";
            Process tool = begin(database, "nightly", "--", "sh", "-c", script);
            ProcessHandle command = process("ready");

            forceExpire(database);

            Tool.Result result = ended(tool, "");
            assertThat(result.exitCode()).isEqualTo(122);
            assertThat(result.err()).contains("lost");
            assertThat(folder.resolve("asked")).exists();
            assertThat(isRunning(command)).isFalse();
        }

        @Test
        @DisplayName(
                "ends a command that ignores SIGTERM, and all that it has started, by SIGKILL after the grace period")
        void killsTheStubborn(TestDatabase database) throws Exception {
            String script = "trap '' TERM; sleep 600 & echo $! > child; echo $$ > ready; while :; do sleep 0.1; done";
            Process tool = begin(database, "nightly", "--grace", "1s", "--", "sh", "-c", script);
            ProcessHandle command = process("ready");
            ProcessHandle child = process("child");

            forceExpire(database);

            assertThat(ended(tool, "").exitCode()).isEqualTo(122);
            assertThat(isRunning(command)).isFalse();
            assertThat(isRunning(child)).isFalse();
        }

        @Test
        @DisplayName("can be told by another first signal")
        void isToldByAnotherSignal(TestDatabase database) throws Exception {
            String script = "trap 'echo asked > asked; exit 0' INT; echo $$ > ready; while :; do sleep 0.1; done";
            Process tool = begin(database, "nightly", "--on-loss", "int", "--", "sh", "-c", script);
            written("ready");

            forceExpire(database);

            assertThat(ended(tool, "").exitCode()).isEqualTo(122);
            assertThat(folder.resolve("asked")).exists();
        }
    }

    @Nested
    @WithReplicaSet
    @DisplayName("When the tool")
    class OfTheTool {

        private static final String STUBBORN =
                "trap '' TERM HUP INT; sleep 600 & echo $! > child; echo $$ > ready; while :; do sleep 0.1; done";

        @Test
        @DisplayName(
                "is killed, the command and all that it has started are ended, before another process gets the lease")
        void isKilled(TestDatabase database) throws Exception {
            Process tool = begin(database, "nightly", "--grace", "2s", "--session", "15s", "--", "sh", "-c", STUBBORN);
            ProcessHandle command = process("ready");
            ProcessHandle child = process("child");

            tool.destroyForcibly().waitFor();

            try (Service service = Service.on(database, "shop:1");
                    Lease next =
                            service.engine().acquire(LeaseRequest.of("nightly").waitAtMost(PATIENCE))) {
                assertThat(next.isHeld()).isTrue();
                assertThat(isRunning(command)).isFalse();
                assertThat(isRunning(child)).isFalse();
            }
        }

        @ParameterizedTest
        @ValueSource(strings = {"pid", "."})
        @DisplayName("is killed after a cleaner has removed files of the watchdog, the command is ended")
        void isKilledAfterACleaner(String cleaned, TestDatabase database) throws Exception {
            Process tool = begin(database, "nightly", "--", "sh", "-c", "echo $$ > ready; exec sleep 600");
            ProcessHandle command = process("ready");
            Path former = watchdogFolder();
            await().atMost(PATIENCE)
                    .until(() -> Files.readString(former.resolve("beat")).contains(" " + command.pid() + " "));
            remove(former.resolve(cleaned).normalize());
            if (!Files.exists(former)) {
                await().atMost(PATIENCE).until(() -> !watchdogFolder().equals(former));
            }

            tool.destroyForcibly();

            awaitGone(command);
        }

        private void remove(Path path) throws IOException {
            try (Stream<Path> all = Files.walk(path)) {
                all.sorted(Comparator.reverseOrder())
                        .forEach(one -> one.toFile().delete());
            }
        }

        @Test
        @DisplayName("is stopped past its session, the command is gone when another process gets the lease")
        void isStopped(TestDatabase database) throws Exception {
            Process tool = begin(database, "nightly", "--grace", "2s", "--session", "15s", "--", "sh", "-c", STUBBORN);
            ProcessHandle command = process("ready");
            ProcessHandle child = process("child");

            signal(tool, "STOP");

            try (Service service = Service.on(database, "shop:1");
                    Lease next =
                            service.engine().acquire(LeaseRequest.of("nightly").waitAtMost(PATIENCE))) {
                assertThat(next.isHeld()).isTrue();
                assertThat(isRunning(command)).isFalse();
                assertThat(isRunning(child)).isFalse();
            }
            signal(tool, "CONT");
            assertThat(ended(tool, "").exitCode()).isEqualTo(122);
        }

        @Test
        @DisplayName(
                "is stopped until the command was ended for that, and goes on while it still holds the lease: it is lost")
        void isStoppedForAWhile(TestDatabase database) throws Exception {
            Process tool = begin(
                    database,
                    "nightly",
                    "--grace",
                    "2s",
                    "--session",
                    "15s",
                    "--",
                    "sh",
                    "-c",
                    "echo $$ > ready; exec sleep 600");
            ProcessHandle command = process("ready");

            signal(tool, "STOP");
            awaitGone(command);
            signal(tool, "CONT");

            assertThat(ended(tool, "").exitCode()).isEqualTo(122);
        }

        @Test
        @DisplayName("sees its command killed, it says so by the exit code and frees the lease")
        void commandIsKilled(TestDatabase database) throws Exception {
            Process tool = begin(database, "nightly", "--", "sh", "-c", "echo $$ > ready; exec sleep 600");
            process("ready").destroyForcibly();

            assertThat(ended(tool, "").exitCode()).isEqualTo(137);
            try (Service service = Service.on(database, "shop:1")) {
                assertThat(service.engine().tryAcquire("nightly")).isInstanceOf(Acquisition.Acquired.class);
            }
        }
    }

    @Nested
    @WithOwnReplicaSet(nodes = 1)
    @DisplayName("A database")
    class OfTheDatabase {

        @Test
        @DisplayName("that is gone while a command runs ends the command before the lease can be held elsewhere")
        void isGone(ReplicaSet set) throws Exception {
            try (TestDatabase database = set.newDatabase()) {
                Process tool = begin(
                        database,
                        "nightly",
                        "--timeout",
                        "2s",
                        "--session",
                        "15s",
                        "--grace",
                        "2s",
                        "--json",
                        "--",
                        "sh",
                        "-c",
                        "echo $$ > ready; exec sleep 600");
                ProcessHandle command = process("ready");
                set.primary().pause();
                try {
                    awaitGone(command);
                    Tool.Result result = ended(tool, "");
                    assertThat(result.exitCode()).isEqualTo(122);
                    String last = result.err().strip().lines().reduce("", (former, latter) -> latter);
                    assertThat(JsonMapper.builder()
                                    .build()
                                    .readTree(last)
                                    .path("outcome")
                                    .asText())
                            .isEqualTo("lost");
                } finally {
                    set.heal();
                }
            }
        }

        @Test
        @DisplayName("that is gone for a while ends no wait at a terminal")
        void isGoneWhileTheToolWaits(ReplicaSet set) throws Exception {
            List<String> terminal = List.of("sh", "-c", "exec script -qfec \"$*\" typescript", "sh");
            try (TestDatabase database = set.newDatabase();
                    Service service = Service.on(database, "shop:1")) {
                Lease lease = service.holds("nightly");
                Process tool = begin(
                        database,
                        System.getenv("PATH"),
                        terminal,
                        "nightly",
                        "--timeout",
                        "2s",
                        "--wait",
                        "10m",
                        "--",
                        "touch",
                        "ran");
                awaitWaiting(1);
                set.primary().pause();
                try {
                    awaitWaiting(2);
                } finally {
                    set.heal();
                }
                lease.close();

                assertThat(ended(tool, "").exitCode()).isZero();
                assertThat(folder.resolve("ran")).exists();
            }
        }

        private void awaitWaiting(int lines) {
            await().atMost(PATIENCE).until(() -> written("typescript").split("waiting: ", -1).length > lines);
        }

        @Test
        @DisplayName("that cannot be reached at all: nothing is run, and the exit code is 123")
        void cannotBeReached(ReplicaSet set) throws Exception {
            try (TestDatabase database = set.newDatabase()) {
                Tool.Result result = run(
                        database,
                        "nightly",
                        "--uri",
                        "mongodb://127.0.0.1:1/?replicaSet=none",
                        "--timeout",
                        "1s",
                        "--",
                        "touch",
                        "ran");

                assertThat(result.exitCode()).isEqualTo(123);
                assertThat(result.err()).contains("nothing was run");
                assertThat(folder.resolve("ran")).doesNotExist();
            }
        }
    }

    @Nested
    @WithReplicaSet
    @DisplayName("Many runs on one lease")
    class ManyRuns {

        private static final int RUNS = Boolean.getBoolean("leasehold.nightly") ? 200 : 12;

        @Test
        @DisplayName(
                "never overlap, some of them killed: a file that each locks tells; and no process and no lease is left")
        void neverOverlap(TestDatabase database) throws Exception {
            String script = "flock -n lock -c 'echo one >> runs; sleep 0.3' || echo overlap >> overlaps";
            List<Process> machines = new ArrayList<>();
            for (int i = 0; i < RUNS; i++) {
                Process tool = begin(
                        database,
                        "nightly",
                        "--wait",
                        "10m",
                        "--session",
                        "15s",
                        "--grace",
                        "1s",
                        "--",
                        "sh",
                        "-c",
                        script);
                machines.add(tool);
                if (machines.size() == 3) {
                    Process first = machines.remove(0);
                    if (i % 5 == 4) {
                        first.destroyForcibly();
                    }
                    first.waitFor();
                }
            }
            for (Process tool : machines) {
                Tool.Result result = ended(tool, "");
                assertThat(result.exitCode()).as(result.err()).isZero();
            }

            assertThat(folder.resolve("overlaps")).doesNotExist();
            assertThat(Files.readAllLines(folder.resolve("runs"))).hasSizeGreaterThanOrEqualTo(RUNS - RUNS / 5 - 1);
            await().atMost(PATIENCE).until(() -> ProcessHandle.allProcesses().noneMatch(RunIT.this::isWatchdog));
            try (Service service = Service.on(database, "shop:1")) {
                service.engine()
                        .acquire(LeaseRequest.of("nightly").waitAtMost(PATIENCE))
                        .close();
            }
        }
    }
}
