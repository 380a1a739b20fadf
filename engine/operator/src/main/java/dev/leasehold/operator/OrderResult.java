package dev.leasehold.operator;

import dev.leasehold.engine.LeaseResult;
import dev.leasehold.engine.Refusal;

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
        return new OrderResult("pin", lease, done, done ? lease + " is pinned by " + entity + " now" : missing(lease));
    }

    /** Of the end of a pin. */
    static OrderResult ofUnpin(String lease, String entity, boolean done) {
        return new OrderResult(
                "unpin", lease, done, done ? lease + " is not pinned by " + entity + " now" : missing(lease));
    }

    private static String missing(String lease) {
        return "there is no lease '" + lease + "'";
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
                "the tenure of '" + result.orElseThrow().holder() + "' under token "
                        + result.orElseThrow().token() + " is over, and " + lease
                        + " may be acquired. Its holder believes otherwise until its engine has noticed");
    }

    /** Prints it, and says how the process ends. */
    ExitCode show(DatabaseCommand command, ExitCode otherwise) {
        if (command.json()) {
            command.print(Json.of(this));
        } else if (done) {
            command.print(message);
        } else {
            command.surroundings().complain(message);
        }
        return done ? ExitCode.DONE : otherwise;
    }
}
