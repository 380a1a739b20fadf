package dev.leasehold.operator;

import com.mongodb.client.ClientSession;
import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.assertions.OccurrenceRecord;
import dev.leasehold.assertions.OnceResult;
import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseInspector;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.operator.run.CommandProcess;
import dev.leasehold.operator.run.Signals;
import dev.leasehold.operator.run.Supervision;
import dev.leasehold.operator.run.Supervision.Standing;
import dev.leasehold.operator.run.Watchdog;
import dev.leasehold.operator.view.DisplayText;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a command while a lease is held. */
@Command(
        name = "run",
        description =
                "Runs a command while this process holds a lease, and ends it before another process can hold the lease.",
        footer = {
            "",
            "Three machines with the same line in their crontab, one backup a night:",
            "  0 3 * * * leasehold run nightly-backup --once \"$(date -u +\\%%F)\" -- backup.sh",
            "A migration before a deployment, one at a time:",
            "  leasehold run migrations --wait 10m -- ./migrate --all",
            "A worker that must never run twice, restarted by its service manager:",
            "  leasehold run importer --wait 1h --grace 15s -- ./importer"
        },
        mixinStandardHelpOptions = true)
final class RunCommand implements Callable<Integer> {

    private static final String ENDED = "ended";
    private static final long TICK_MILLIS = 200;
    private static final long LOOK_MILLIS = 2_000;

    /** The losses after which another process may hold the lease without an order. */
    private static final Set<LeaseLoss.Reason> BY_TIME = EnumSet.of(
            LeaseLoss.Reason.EXPIRED,
            LeaseLoss.Reason.NOT_RENEWED,
            LeaseLoss.Reason.EVICTED,
            LeaseLoss.Reason.CLOCK_ANOMALY);

    private enum FirstSignal {
        INT,
        TERM,
        HUP,
        KILL
    }

    /**
     * How it ended, as JSON.
     *
     * @param lease its name
     * @param token the fencing token under which the command ran; null if it did not run
     * @param outcome ended, refused, lost, failed, or done if the occurrence was done before
     * @param exitCode of this process
     * @param message in a sentence; null where the command ended by itself
     */
    record Outcome(
            String lease,
            @Nullable Long token,
            String outcome,
            int exitCode,
            @Nullable String message) {}

    private final CommandContext context;
    private final AtomicReference<@Nullable CommandProcess> running = new AtomicReference<>();
    private final AtomicReference<@Nullable String> signalled = new AtomicReference<>();
    /** Held for no longer than it takes to say which of them a signal is for: this thread, or the command. */
    private final Object starting = new Object();
    /** How the command has ended, and was recorded if that was asked; null until then. */
    private @Nullable Outcome ended;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Parameters(index = "0", paramLabel = "NAME", description = "The lease.")
    private String name = "";

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "COMMAND",
            description = "The command and its arguments, behind '--'.")
    private List<String> command = List.of();

    @Option(
            names = "--wait",
            paramLabel = "DURATION",
            defaultValue = "0ms",
            converter = DurationText.class,
            description = "For how long to wait for the lease; default: not at all.")
    private Duration wait = Duration.ZERO;

    @Option(
            names = "--at-least",
            paramLabel = "DURATION",
            converter = DurationText.class,
            description =
                    "Holds the lease, and goes on, until this time is over, even if the command ends sooner; a signal ends that."
                            + " Longer than the clocks of the machines differ, it makes one run of those that are due at the same"
                            + " time.")
    private @Nullable Duration atLeast;

    @Option(
            names = "--once",
            paramLabel = "OCCURRENCE",
            description =
                    "Which occurrence of the work this is, such as the date. It is recorded when the command has ended with 0. If it"
                            + " was recorded before, nothing is run, and the exit code is 0.")
    private @Nullable String once;

    @Option(
            names = "--session",
            paramLabel = "DURATION",
            defaultValue = "30s",
            converter = DurationText.class,
            description = "If this machine dies, another one waits for so long; default ${DEFAULT-VALUE}, 15s to 1h.")
    private Duration session = Duration.ofSeconds(30);

    @Option(
            names = "--grace",
            paramLabel = "DURATION",
            defaultValue = "5s",
            converter = DurationText.class,
            description = "How long the command may take to end when the lease is lost, before it is killed; default"
                    + " ${DEFAULT-VALUE}, 1s to a quarter of the session.")
    private Duration grace = Duration.ofSeconds(5);

    @Option(
            names = "--on-loss",
            paramLabel = "SIGNAL",
            defaultValue = "term",
            description =
                    "What the command is sent first when the lease is lost: ${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}.")
    private FirstSignal onLoss = FirstSignal.TERM;

    @Option(
            names = "--comment",
            paramLabel = "TEXT",
            description = "Shown to those that look at the lease; default: the first word of the command.")
    private @Nullable String comment;

    @Option(names = "--json", description = "Print how it ended as JSON, to standard error.")
    private boolean json;

    RunCommand(CommandContext context) {
        this.context = context;
    }

    boolean json() {
        return json;
    }

    @Override
    public Integer call() throws IOException {
        check();
        Outcome outcome = outcome();
        if (json) {
            context.printError(Json.line(outcome));
        } else if (outcome.message() != null) {
            context.printError(outcome.message());
        }
        return outcome.exitCode();
    }

    /** How it ended, when all is closed. */
    private Outcome outcome() throws IOException {
        Thread caller = Thread.currentThread();
        Signals.handle(signal -> onSignal(signal, caller));
        try (Connection open = connection.open(context.environment());
                LeaseEngine engine = open.engineForLeases(session)) {
            return run(open, engine);
        } catch (InterruptedException | IOException | RuntimeException e) {
            if (running.get() != null) {
                return failed(e);
            } else if (e instanceof InterruptedException || signalled.get() != null) {
                // Not every wait of the driver ends with an exception of its own.
                return interrupted();
            } else if (e instanceof IOException io) {
                throw io;
            } else if (e instanceof RuntimeException wrong && Failures.code(wrong) == ExitCode.USAGE) {
                throw wrong;
            }
            String message = Failures.describe(e) + "; nothing was run";
            return new Outcome(name, null, "failed", ExitCode.NOT_RUN.number(), message);
        }
    }

    /** Once the command was started: what went wrong behind its end changes nothing of how it has ended. */
    private Outcome failed(Exception e) {
        if (ended != null) {
            return ended;
        }
        String message = "the command was ended, because the tool cannot go on: " + Failures.describe(e);
        return new Outcome(name, null, "failed", ExitCode.FAILED.number(), message);
    }

    private Outcome interrupted() {
        String signal = signalled.get();
        int exitCode = signal == null ? ExitCode.FAILED.number() : Signals.exitCode(signal);
        return new Outcome(name, null, "failed", exitCode, "interrupted; nothing was run");
    }

    private void check() {
        if (session.compareTo(Duration.ofSeconds(15)) < 0 || session.compareTo(Duration.ofHours(1)) > 0) {
            throw new UsageException("--session must be 15s to 1h, and is " + session.toMillis() + "ms");
        }
        if (grace.compareTo(Duration.ofSeconds(1)) < 0 || grace.multipliedBy(4).compareTo(session) > 0) {
            throw new UsageException("--grace must be 1s to a quarter of the session, which is " + session.toMillis()
                    + "ms, and is " + grace.toMillis() + "ms");
        }
        if (onLoss != FirstSignal.KILL && Signals.isIgnored(onLoss.name())) {
            throw new UsageException("--on-loss " + onLoss.name().toLowerCase(Locale.ROOT)
                    + " is refused: this process was started with SIG"
                    + onLoss
                    + " ignored, as by nohup or in the background of a shell, so the command would ignore it too."
                    + " Name another signal, or start this process with 'env --default-signal'");
        }
        List<String> words = spec.commandLine().getParseResult().originalArgs();
        int mark = words.indexOf("--");
        if (mark < 0 || words.size() - mark - 1 < command.size()) {
            throw new UsageException(
                    "the command must stand behind '--', as in 'run NAME -- COMMAND': before that, its options would be taken"
                            + " for those of this tool");
        }
        if (once != null) {
            LeaseNames.checkOccurrence(once);
        }
        if (command.get(0).isBlank() || command.get(0).startsWith("-")) {
            throw new UsageException(
                    "the command must begin with the name of a program, and '" + command.get(0) + "' is none");
        }
    }

    /** Before the command runs it ends the wait; then the command decides what becomes of it. */
    private void onSignal(String signal, Thread caller) {
        CommandProcess process;
        synchronized (starting) {
            signalled.set(signal);
            process = running.get();
            if (process == null) {
                caller.interrupt();
                return;
            }
        }
        try {
            if (!process.signal(signal)) {
                context.printError("SIG" + signal + " could not be passed on");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Outcome run(Connection open, LeaseEngine engine) throws InterruptedException, IOException {
        Outcome before = doneBefore(engine);
        if (before != null) {
            return before;
        }
        Acquisition acquisition = acquire(open, engine);
        if (acquisition instanceof Acquisition.NotAcquired not) {
            String message = not.refusal().message() + "; nothing was run";
            return new Outcome(name, null, "refused", ExitCode.NOT_ACQUIRED.number(), message);
        }
        try (Lease lease = acquisition.orElseThrow()) {
            // Another process may have done it while this one waited.
            Outcome meanwhile = doneBefore(engine);
            if (meanwhile != null) {
                return meanwhile;
            }
            long beganNanos = System.nanoTime();
            Outcome outcome = run(lease);
            boolean isDone = outcome.outcome().equals(ENDED) && outcome.exitCode() == 0;
            ended = once != null && isDone ? record(open, lease, outcome, once) : outcome;
            if (atLeast != null) {
                holdOn(lease, beganNanos, atLeast);
            }
            return ended;
        }
    }

    /**
     * Not by a minimum hold, whose end a release would store: a process that is started later knows nothing of the clock that it is meant
     * in, and would count the whole time from its own start.
     */
    private void holdOn(Lease lease, long beganNanos, Duration atLeast) throws InterruptedException {
        while (System.nanoTime() - beganNanos < atLeast.toNanos() && lease.isHeld() && signalled.get() == null) {
            Thread.sleep(TICK_MILLIS);
        }
    }

    /** How it ends if the occurrence was done before; null if there is none or it was not. */
    private @Nullable Outcome doneBefore(LeaseEngine engine) throws InterruptedException {
        return once == null
                ? null
                : engine.findOccurrence(name, once).map(this::doneBefore).orElse(null);
    }

    private Outcome doneBefore(OccurrenceRecord record) {
        String message = "occurrence " + LeaseNames.quote(record.occurrence()) + " was done by "
                + LeaseNames.quote(record.tenure().holder()) + " under token "
                + record.tenure().token() + " at " + DisplayText.of(record.done()) + "; nothing was run";
        return new Outcome(name, null, "done", ExitCode.DONE.number(), message);
    }

    /** The command has run, and nothing takes that back. */
    private Outcome record(Connection open, Lease lease, Outcome ended, String occurrence) {
        String problem;
        try (ClientSession session = open.client().startSession()) {
            OnceResult result = lease.inTransaction(session, s -> lease.once(s, occurrence));
            if (!(result instanceof OnceResult.DoneBefore before)) {
                return ended;
            }
            problem = "another process has recorded it before: "
                    + LeaseNames.quote(before.record().tenure().holder());
        } catch (LeaseNotHeldException e) {
            problem = String.valueOf(e.getMessage());
        } catch (RuntimeException e) {
            problem = "it may have been recorded or not: " + Failures.describe(e);
        }
        String message = "the command has ended with 0, but occurrence " + LeaseNames.quote(occurrence)
                + " was not recorded by this run: " + problem;
        return new Outcome(name, lease.token(), "failed", ExitCode.NOT_RECORDED.number(), message);
    }

    private LeaseRequest request() {
        return LeaseRequest.of(name).comment(comment == null ? command.get(0) : comment);
    }

    // ---- waiting ----

    private Acquisition acquire(Connection open, LeaseEngine engine) throws InterruptedException {
        // It reads when it is opened. A failure of that is none of a wait that has begun.
        try (LeaseInspector inspector = context.terminal().isInteractive() ? open.inspector() : null) {
            return acquire(engine, inspector);
        }
    }

    private Acquisition acquire(LeaseEngine engine, @Nullable LeaseInspector inspector) throws InterruptedException {
        CompletableFuture<Acquisition> acquisition =
                engine.tryAcquireAsync(request().waitAtMost(wait)).toCompletableFuture();
        try {
            return inspector == null ? acquisition.get() : acquireAtTerminal(inspector, acquisition);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            acquisition.cancel(false);
            throw e;
        }
    }

    private Acquisition acquireAtTerminal(LeaseInspector inspector, CompletableFuture<Acquisition> acquisition)
            throws InterruptedException, ExecutionException {
        String told = "";
        while (true) {
            try {
                return acquisition.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                String standing = standing(inspector);
                if (!standing.equals(told)) {
                    context.printError("waiting: " + standing);
                }
                told = standing;
            }
        }
    }

    /** A look that fails ends no wait. */
    private String standing(LeaseInspector inspector) throws InterruptedException {
        try {
            return inspector.inspect(name).state().describe();
        } catch (RuntimeException e) {
            if (signalled.get() != null) {
                throw e;
            }
            return Failures.describe(e);
        }
    }

    // ---- running ----

    private Outcome run(Lease lease) throws InterruptedException, IOException {
        CompletableFuture<LeaseLoss> loss = new CompletableFuture<>();
        lease.onLost(loss::complete);
        try (Watchdog watchdog =
                Watchdog.start(grace.toNanos(), lease.remaining().toNanos())) {
            CommandProcess process = CommandProcess.start(command, environment(lease), watchdog.pidFile());
            boolean isLost;
            try {
                synchronized (starting) {
                    running.set(process);
                    // A signal that came too early has interrupted this thread, and is passed on instead.
                    Thread.interrupted();
                }
                String early = signalled.get();
                if (early != null) {
                    process.signal(early);
                }
                isLost = supervise(process, lease, loss, watchdog);
            } finally {
                killRest(process);
            }
            if (!isLost && lease.isHeld() && !watchdog.hasAskedCommand()) {
                return new Outcome(name, lease.token(), ENDED, process.exitCode(), null);
            }
            String why = loss.isDone() ? loss.join().message() : "it could not be renewed in time";
            String message = "lease '" + name + "' was lost, and the command was ended: " + why;
            return new Outcome(name, lease.token(), "lost", ExitCode.LOST.number(), message);
        }
    }

    /** Whatever has happened: nothing of the command outlives the lease, nor its watchdog. */
    private static void killRest(CommandProcess process) {
        boolean wasInterrupted = Thread.interrupted();
        boolean isGone = false;
        while (!isGone) {
            try {
                isGone = process.awaitGone(0);
                if (!isGone) {
                    process.signal("KILL");
                    Thread.sleep(TICK_MILLIS);
                }
            } catch (InterruptedException e) {
                wasInterrupted = true;
            }
        }
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private Map<String, String> environment(Lease lease) {
        return Map.of(
                "LEASEHOLD_LEASE", lease.name(),
                "LEASEHOLD_TOKEN", Long.toString(lease.token()),
                "LEASEHOLD_HOLDER", lease.holder());
    }

    /** Until all of its processes are gone. Tells whether they had to be ended since the lease was lost. */
    private boolean supervise(CommandProcess process, Lease lease, CompletableFuture<LeaseLoss> loss, Watchdog watchdog)
            throws InterruptedException, IOException {
        Supervision supervision = new Supervision(grace.toNanos(), onLoss == FirstSignal.KILL);
        long askedNanos = 0;
        boolean isAsked = false;
        boolean isLost = false;
        long heldUntilNanos = System.nanoTime() + lease.remaining().toNanos();
        while (!process.awaitGone(TICK_MILLIS)) {
            Standing standing = standing(lease, loss, heldUntilNanos);
            if (standing instanceof Standing.Held held) {
                heldUntilNanos = System.nanoTime() + held.remainingNanos();
                watchdog.beat(held.remainingNanos());
            } else {
                // The grace period is counted here; the watchdog is for a tool that is stopped meanwhile.
                watchdog.beat(2 * grace.toNanos() + Supervision.LEAD_NANOS);
            }
            // What the command has left behind would outlive the lease, which is released now.
            boolean isOver = process.hasEnded();
            if (isOver && !isAsked) {
                process.signal("TERM");
                isAsked = true;
                askedNanos = System.nanoTime();
            }
            switch (supervision.next(standing, isAsked ? System.nanoTime() - askedNanos : -1)) {
                case GO_ON -> {}
                case ASK -> {
                    process.signal(onLoss.name());
                    isAsked = true;
                    askedNanos = System.nanoTime();
                    isLost = true;
                }
                case KILL -> {
                    process.signal("KILL");
                    isLost = isLost || !isOver;
                }
            }
        }
        return isLost;
    }

    /**
     * How the lease stands. Until the loss is told, the time for which the lease was held last says whether it was lost by time.
     *
     * @param heldUntilNanos of the last look, as of {@link System#nanoTime}
     */
    private static Standing standing(Lease lease, CompletableFuture<LeaseLoss> loss, long heldUntilNanos) {
        if (lease.isHeld()) {
            return new Standing.Held(lease.remaining().toNanos());
        }
        boolean isTimeOver = heldUntilNanos - System.nanoTime() <= Supervision.LAST_MOMENT_NANOS;
        return new Standing.Lost(
                isTimeOver || loss.isDone() && BY_TIME.contains(loss.join().reason()));
    }
}
