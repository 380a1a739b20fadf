package dev.leasehold.operator;

import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.engine.LeaseResult;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.Refusal;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What came of an order.
 *
 * @param order what was asked for
 * @param lease which one
 * @param done whether it was carried out
 * @param message what is the case now, in a sentence
 */
record OrderResult(String order, String lease, boolean done, String message) {

    /** Of a pin, which is refused only where there is nothing to pin. */
    static OrderResult ofPin(String lease, String entity, boolean done) {
        return new OrderResult(
                "pin",
                lease,
                done,
                done
                        ? LeaseNames.visible(lease) + " is pinned by " + LeaseNames.quote(entity) + " now"
                        : missing(lease) + ": only a lease that was held before can be pinned."
                                + " 'leasehold run NAME -- true' holds it for a moment");
    }

    /**
     * Of the end of a pin.
     *
     * @param after how the lease stands now: other entities may pin it still
     */
    static OrderResult ofUnpin(String lease, String entity, boolean done, LeaseState after) {
        return new OrderResult(
                "unpin",
                lease,
                done,
                done
                        ? LeaseNames.visible(lease) + " is not pinned by " + LeaseNames.quote(entity) + " now"
                                + remaining(after)
                        : missing(lease));
    }

    private static String remaining(LeaseState after) {
        Set<String> pins = after instanceof LeaseState.Held held
                ? held.pins()
                : after instanceof LeaseState.Vacant vacant ? vacant.pins() : Set.of();
        return pins.isEmpty()
                ? ", nor by another entity"
                : ", but stays pinned by "
                        + pins.stream().sorted().map(LeaseNames::quote).collect(Collectors.joining(", "));
    }

    private static String missing(String lease) {
        return "there is no lease " + LeaseNames.quote(lease);
    }

    /** Of a forced expiry. */
    static OrderResult ofForceExpiry(String lease, LeaseResult result) {
        if (result instanceof Refusal refusal) {
            return new OrderResult("force-expire", lease, false, refusal.message());
        }
        return new OrderResult(
                "force-expire",
                lease,
                true,
                "the tenure of " + LeaseNames.quote(result.orElseThrow().holder()) + " under token "
                        + result.orElseThrow().token() + " is over, and " + LeaseNames.visible(lease)
                        + " may be acquired. Its holder goes on as the holder until its engine has noticed");
    }

    /**
     * Of the forced end of the time for which a lease is kept free.
     *
     * @param before how the lease stood: under a greater token it was acquired meanwhile, and that tenure was ended
     */
    static OrderResult ofFreeing(LeaseState.Vacant before, LeaseResult result) {
        String lease = before.name();
        return result instanceof Refusal || result.orElseThrow().token() != before.token()
                ? ofForceExpiry(lease, result)
                : new OrderResult(
                        "force-expire",
                        lease,
                        true,
                        LeaseNames.visible(lease) + " is not kept free any more, and may be acquired");
    }

    /** Prints it, and says how the process ends. */
    ExitCode show(DatabaseCommand command, ExitCode otherwise) {
        if (command.json()) {
            command.printJson(this);
        } else if (done) {
            command.print(message);
        } else {
            command.context().printError(message);
        }
        return done ? ExitCode.DONE : otherwise;
    }
}
