package dev.leasehold.operator.run;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A command and the processes that it starts, as one process group, which can be signalled as a whole. It has the standard streams of this
 * process, and a POSIX session of its own: what is typed at the terminal reaches this process, which passes it on.
 *
 * <p>Safe for use by many threads.
 */
public final class CommandProcess {

    /** Writes down which group it is before the command begins, so that the watchdog knows it whatever becomes of this process. */
    private static final String BEGIN = "echo \"$$ $(began $$)\" >\"$0\" && exec \"$@\"";

    private static final String PERL = "POSIX::setsid(); exec { $ARGV[0] } @ARGV; exit 127";

    /** Fields of a process in the list of processes, counted from the one behind the name of the program. */
    private static final int STATE = 0;

    private static final int GROUP = 2;
    private static final int THREADS = 17;

    /** A process that was just started leads a group within milliseconds. */
    private static final long BEGIN_POLL_MILLIS = 5;

    /** What a shell answers that cannot start a program. */
    private static final int NO_SHELL = 126;

    private final Process process;
    private final Kill kill;
    /** Held while a signal is sent, and while a look decides that none is sent any more. */
    private final ReentrantLock sending = new ReentrantLock();

    /** Whether none of its processes was left at a look: from then on the system may give its number to other processes. */
    private boolean isGone;

    CommandProcess(Process process, Kill kill) {
        this.process = process;
        this.kill = kill;
    }

    /**
     * Starts a command.
     *
     * @param command its words
     * @param environment what it gets beside the environment of this process
     * @param pidFile where the number of its process group, and when it began, are written
     * @return the running command; one that cannot be executed ends with 126 or 127, as in a shell
     * @throws IOException if no process can be started
     */
    public static CommandProcess start(List<String> command, Map<String, String> environment, Path pidFile)
            throws IOException {
        List<String> line = new ArrayList<>(inOwnSession());
        line.addAll(List.of("sh", "-c", Watchdog.script("began.sh") + BEGIN, pidFile.toString()));
        line.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(line).inheritIO();
        if (isInputClosed()) {
            builder.redirectInput(new File("/dev/null"));
        }
        builder.environment().putAll(environment);
        return new CommandProcess(builder.start(), CommandProcess::kill);
    }

    /** On Linux: the first file that a JVM opens, that of its own classes, takes the place of a standard input that is closed. */
    private static boolean isInputClosed() {
        try {
            return Files.isSameFile(
                    Path.of("/proc/self/fd/0"), Path.of(System.getProperty("java.home"), "lib", "modules"));
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * The words that start another program in a session of its own, so that it leads a process group.
     *
     * @throws IllegalStateException if this system has no program for it
     */
    static List<String> inOwnSession() {
        if (isOnPath("setsid")) {
            return List.of("setsid");
        } else if (isOnPath("perl")) {
            return List.of("perl", "-MPOSIX", "-e", PERL);
        }
        throw new IllegalStateException(
                "a command is run on systems that have 'sh' and 'setsid' or 'perl' on the PATH: without"
                        + " them the processes that it starts could not be ended with it");
    }

    private static boolean isOnPath(String program) {
        String path = System.getenv("PATH");
        return path != null
                && Arrays.stream(path.split(File.pathSeparator))
                        .filter(folder -> !folder.isEmpty())
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /** {@return whether its first process has ended} */
    public boolean hasEnded() {
        return !process.isAlive();
    }

    /** {@return the exit code of its first process, which has ended; 128 and the number of the signal if that ended it} */
    public int exitCode() {
        return process.exitValue();
    }

    /**
     * Sends a signal to all of its processes, unless {@link #awaitGone} has found none. One that was just started gets it as soon as it leads its
     * group.
     *
     * @param signal its name without SIG
     * @return whether it was sent, or none of its processes is left
     */
    public boolean signal(String signal) throws InterruptedException {
        sending.lockInterruptibly();
        try {
            if (isKnownGone()) {
                return true;
            }
            boolean ended = hasEnded();
            KillAnswer answer = kill.send(signal, process.pid());
            // As long as its first process lives there is a group, or is to be one.
            while (answer.saysNoSuchProcess() && !ended) {
                ended = process.waitFor(BEGIN_POLL_MILLIS, TimeUnit.MILLISECONDS);
                answer = kill.send(signal, process.pid());
            }
            return answer.exitCode() == 0 || answer.saysNoSuchProcess();
        } finally {
            sending.unlock();
        }
    }

    /**
     * Whether none of its processes is left by then. Blocks for at most that time, and returns as soon as the first of them ends if it
     * leaves none behind.
     *
     * @param millis how long to wait
     * @return whether they are gone for sure
     */
    public boolean awaitGone(long millis) throws InterruptedException {
        boolean hadEnded = hasEnded();
        if (!process.waitFor(millis, TimeUnit.MILLISECONDS)) {
            return false;
        }
        if (isGone()) {
            return true;
        }
        if (hadEnded) {
            Thread.sleep(millis);
        }
        return false;
    }

    private boolean isGone() throws InterruptedException {
        sending.lockInterruptibly();
        try {
            if (!isKnownGone()) {
                KillAnswer answer = kill.send("0", process.pid());
                isGone = answer.saysNoSuchProcess() || answer.exitCode() == 0 && hasOnlyZombies();
                if (isGone && answer.exitCode() == 0) {
                    // One that was started during the look may have been missed, and dies with the group.
                    kill.send("KILL", process.pid());
                }
            }
            return isGone;
        } finally {
            sending.unlock();
        }
    }

    /** The system gives its number to another process only when none of its own is left. */
    private boolean isKnownGone() {
        isGone = isGone
                || ProcessHandle.of(process.pid())
                        .filter(present -> !present.equals(process.toHandle()))
                        .isPresent();
        return isGone;
    }

    /**
     * Whether each process that is left of it has ended, and stands in the list of processes only because its parent does not ask for it. In
     * a container the tool may be that parent, as its first process. A system that has no such files has another first process.
     */
    private boolean hasOnlyZombies() {
        boolean isZombieThere = false;
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path one : processes) {
                List<String> stat = stat(one);
                if (stat.size() > THREADS && stat.get(GROUP).equals(Long.toString(process.pid()))) {
                    // The threads of a process can outlive its first one.
                    if (!stat.get(STATE).equals("Z") || !stat.get(THREADS).equals("1")) {
                        return false;
                    }
                    isZombieThere = true;
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return false;
        }
        return isZombieThere;
    }

    /** The fields behind the name of the program, which may have any characters; none of a process that is gone meanwhile. */
    private static List<String> stat(Path process) {
        try {
            String line = Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1);
            return List.of(line.substring(line.lastIndexOf(')') + 1).strip().split(" "));
        } catch (IOException e) {
            return List.of();
        }
    }

    private static KillAnswer kill(String signal, long group) throws InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder("sh", "-c", "kill -s " + signal + " -- -" + group).redirectErrorStream(true);
        builder.environment().put("LC_ALL", "C");
        try {
            Process process = builder.start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new KillAnswer(process.waitFor(), output);
        } catch (IOException e) {
            return new KillAnswer(NO_SHELL, "");
        }
    }

    /** Sends a signal to a process group. */
    @FunctionalInterface
    interface Kill {
        KillAnswer send(String signal, long group) throws InterruptedException;
    }

    /**
     * What {@code kill} answered. Processes that this one may not signal are there all the same, and a shell that fails or cannot be started
     * says nothing of them: all three end with a code, too.
     */
    record KillAnswer(int exitCode, String output) {

        boolean saysNoSuchProcess() {
            return exitCode != 0 && output.contains("No such process");
        }
    }
}
