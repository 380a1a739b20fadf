package dev.leasehold.operator;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseInspector;
import dev.leasehold.engine.LeaseState;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Ends a tenure that its holder does not end. */
@Command(
        name = "force-expire",
        description = {
            "Ends the tenure of a lease at once, expired or not, pinned or not; or the time for which a lease is kept free"
                    + " after its tenure.",
            "Its transactions are refused from then on. Its holder is told within a second or so, and until then it goes on as"
                    + " the holder, also with what it does outside the database. If its process can be stopped, stop it instead."
        },
        mixinStandardHelpOptions = true)
final class ForceExpireCommand extends DatabaseCommand {

    @Parameters(paramLabel = "NAME", description = "The lease.")
    private String name = "";

    @Option(
            names = "--reason",
            required = true,
            paramLabel = "TEXT",
            description = "Why; logged, and shown with the lease.")
    private String reason = "";

    @Option(
            names = "--token",
            paramLabel = "N",
            description =
                    "Only if the tenure is still the one with this token, as inspect shows it, or was the last one.")
    private @Nullable Long token;

    @Option(names = "--yes", description = "Does not ask back. Needed where there is no terminal.")
    private boolean yes;

    ForceExpireCommand(CommandContext context) {
        super(context);
    }

    @Override
    ExitCode run(Connection open) throws InterruptedException {
        LeaseState before;
        try (LeaseInspector inspector = open.inspector()) {
            before = inspector.inspect(name).state();
        }
        if (before instanceof LeaseState.Held held) {
            if (token != null && held.tenure().token() != token) {
                return refused(held, token);
            }
            return isConfirmed(
                            held,
                            "Its holder goes on as the holder until its engine has noticed. End this tenure? Type yes: ")
                    ? order(open, held.tenure())
                    : declined();
        }
        if (before instanceof LeaseState.Vacant vacant && vacant.keptFreeUntil() != null) {
            if (token != null && vacant.token() != token) {
                return refused(vacant, token);
            }
            return isConfirmed(vacant, "Let it be acquired at once? Type yes: ") ? orderFree(open, vacant) : declined();
        }
        return new OrderResult("force-expire", name, false, before.describe() + ": " + why(before))
                .show(this, code(before));
    }

    private static String why(LeaseState state) {
        return state instanceof LeaseState.Corrupt
                ? "no engine can read or end its tenure. Nothing was done; the runbook says how to mend a document"
                : "there is nothing to end";
    }

    private static ExitCode code(LeaseState state) {
        if (state instanceof LeaseState.Corrupt) {
            return ExitCode.CORRUPT;
        }
        return state instanceof LeaseState.Absent ? ExitCode.NOT_FOUND : ExitCode.REFUSED;
    }

    private ExitCode refused(LeaseState state, long wanted) {
        return new OrderResult(
                        "force-expire", name, false, state.describe() + ": that is not the tenure of token " + wanted)
                .show(this, ExitCode.REFUSED);
    }

    private boolean isConfirmed(LeaseState before, String question) {
        if (yes) {
            return true;
        }
        if (!context().terminal().isInteractive()) {
            throw new UsageException("there is no terminal to ask back on: say --yes");
        }
        String answer = context().terminal().ask(before.describe() + System.lineSeparator() + question);
        return "yes".equals(answer == null ? null : answer.strip());
    }

    private ExitCode declined() {
        return new OrderResult("force-expire", name, false, "nothing was done").show(this, ExitCode.DECLINED);
    }

    /** The lease may have been handed over while the operator was thinking: then nothing is done. */
    private ExitCode order(Connection open, Tenure confirmed) throws InterruptedException {
        try (LeaseEngine engine = open.engine()) {
            return OrderResult.ofForceExpiry(name, engine.admin().forceExpire(confirmed, reason))
                    .show(this, ExitCode.REFUSED);
        }
    }

    /** The order itself names no token, so it is not sent if the lease was acquired while the operator was thinking. */
    private ExitCode orderFree(Connection open, LeaseState.Vacant confirmed) throws InterruptedException {
        try (LeaseEngine engine = open.engine()) {
            return ConnectedOrders.end(engine, name, confirmed.token(), reason).show(this, ExitCode.REFUSED);
        }
    }
}
