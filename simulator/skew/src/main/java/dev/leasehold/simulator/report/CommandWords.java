package dev.leasehold.simulator.report;

import dev.leasehold.simulator.conditions.DamageKind;
import dev.leasehold.simulator.conditions.MessageFault;
import dev.leasehold.simulator.plan.Action;
import dev.leasehold.simulator.plan.Action.Choice;
import dev.leasehold.simulator.plan.Command;
import java.util.Locale;

/** What commands of a plan say, in words. */
final class CommandWords {

    private CommandWords() {}

    /** Where it is done. */
    static String place(Command command) {
        return isOfTheDatabase(command.action()) ? "database" : "m" + command.machine();
    }

    private static boolean isOfTheDatabase(Action action) {
        return action instanceof Action.FailOver
                || action instanceof Action.Lag
                || action instanceof Action.Stray
                || action instanceof Action.Storm
                || action instanceof Action.Damage;
    }

    static String action(Action action) {
        if (isOfTheDatabase(action)) {
            return ofTheDatabase(action);
        }
        String mishap = ofTheMachine(action);
        return mishap.isEmpty() ? ofTheService(action) : mishap;
    }

    private static String ofTheService(Action action) {
        if (action instanceof Action.Claim it) {
            return "claim " + lease(it.lease()) + " for " + holder(it.holder()) + ", "
                    + TimeWords.exact(it.durationNanos());
        }
        if (action instanceof Action.TakeOver it) {
            return "take over " + lease(it.lease()) + " for " + holder(it.holder()) + ", "
                    + TimeWords.exact(it.durationNanos());
        }
        if (action instanceof Action.Extend it) {
            return "extend " + choice(it.tenure()) + ", " + TimeWords.exact(it.durationNanos());
        }
        if (action instanceof Action.Release it) {
            return "release " + choice(it.tenure());
        }
        if (action instanceof Action.Expire it) {
            return "expire " + lease(it.lease());
        }
        if (action instanceof Action.Acquire it) {
            return acquire(it);
        }
        if (action instanceof Action.Gate it) {
            return "own transaction that asserts " + choice(it.tenure())
                    + ", begun " + TimeWords.exact(it.beforeNanos()) + " before"
                    + " and committed " + TimeWords.exact(it.afterNanos()) + " after"
                    + (it.forgetful() ? "; a second run forgets the assertion" : "");
        }
        if (action instanceof Action.Aim it) {
            return aim(it);
        }
        return ofOperators(action);
    }

    private static String acquire(Action.Acquire it) {
        String term = it.termNanos() == null ? "for the session" : "with a term of " + TimeWords.exact(it.termNanos());
        String owner = it.owner() == null ? "" : " for " + holder(it.owner());
        String stripes = it.stripes() == null ? "" : ", " + it.stripes() + " gate stripes";
        return "acquire " + lease(it.lease()) + owner + ' ' + term + stripes
                + ", wait " + TimeWords.exact(it.waitNanos())
                + (it.supersedes() ? ", superseding" : "")
                + (it.atLeastNanos() == null ? "" : ", for at least " + TimeWords.exact(it.atLeastNanos()))
                + (it.cancelNanos() == null ? "" : ", cancelled after " + TimeWords.exact(it.cancelNanos()))
                + ", keep " + TimeWords.exact(it.keepNanos());
    }

    private static String aim(Action.Aim it) {
        String side = it.offsetNanos() < 0 ? " before" : " after";
        String offset = it.offsetNanos() == 0 ? "exactly at" : TimeWords.exact(Math.abs(it.offsetNanos())) + side;
        String what = it.move().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        return what + ' ' + lease(it.lease()) + " for " + holder(it.holder()) + ", aimed " + offset
                + " the first legal instant, " + TimeWords.exact(it.durationNanos());
    }

    private static String ofOperators(Action action) {
        if (action instanceof Action.Refresh) {
            return "refresh all leases by name";
        }
        if (action instanceof Action.ListAll) {
            return "list all leases";
        }
        if (action instanceof Action.Housekeeping) {
            return "housekeeping";
        }
        if (action instanceof Action.ForceExpire it) {
            return "operator: force " + lease(it.lease()) + " to expire";
        }
        if (action instanceof Action.Pin it) {
            return "operator: pin " + lease(it.lease()) + " for entity " + it.entity();
        }
        if (action instanceof Action.Unpin it) {
            return "operator: unpin " + lease(it.lease()) + " for entity " + it.entity();
        }
        throw new IllegalArgumentException("no words for the action " + action);
    }

    /** Empty for another action. */
    private static String ofTheMachine(Action action) {
        if (action instanceof Action.Restart) {
            return "close the engine and start another";
        }
        if (action instanceof Action.Pause it) {
            return "pause " + TimeWords.exact(it.durationNanos());
        }
        if (action instanceof Action.Migrate it) {
            return "migrate, which takes " + TimeWords.exact(it.durationNanos()) + "; the clock runs at "
                    + rate(it.ppbAfter()) + " then";
        }
        if (action instanceof Action.Suspend it) {
            return "suspend " + TimeWords.exact(it.durationNanos())
                    + (it.monotonicStops() ? "; the monotonic clock stops" : "; the monotonic clock runs on");
        }
        if (action instanceof Action.Crash it) {
            return "crash, down " + TimeWords.exact(it.downNanos());
        }
        if (action instanceof Action.WallStep it) {
            return "wall clock set by " + TimeWords.exact(it.byNanos());
        }
        if (action instanceof Action.CutOff it) {
            return "cut off from the database for " + TimeWords.exact(it.durationNanos());
        }
        if (action instanceof Action.CloneWriter it) {
            return "go on under the writer's name of m" + it.from();
        }
        return action instanceof Action.MonotonicStep it
                ? "monotonic clock steps by " + TimeWords.exact(it.byNanos())
                : "";
    }

    private static String ofTheDatabase(Action action) {
        if (action instanceof Action.FailOver it) {
            return "fail over, no primary for " + TimeWords.exact(it.durationNanos())
                    + (it.losesUnreplicated() ? "; what no majority has is lost" : "; nothing is lost");
        }
        if (action instanceof Action.Lag it) {
            return "no write reaches a majority for " + TimeWords.exact(it.durationNanos());
        }
        if (action instanceof Action.Stray it) {
            return "a service dies in a transaction that asserted " + lease(it.lease());
        }
        if (action instanceof Action.Storm it) {
            return it.times() + " foreign transactions on the clock document, " + TimeWords.exact(it.holdNanos())
                    + " each";
        }
        Action.Damage it = (Action.Damage) action;
        return it.damage() == DamageKind.CORRUPT_LEASE
                ? "somebody damages the document of " + lease(it.lease())
                : "somebody removes the document of " + lease(it.lease());
    }

    /** What befalls a message meanwhile; empty when nothing does. */
    static String fate(Command command) {
        MessageFault messageFault = command.messageFault();
        if (messageFault == null) {
            return "";
        }
        return "message " + (messageFault.afterMessages() + 1) + ": " + fate(messageFault.kind(), TimeWords.exact(messageFault.delayNanos()));
    }

    private static String fate(MessageFault.Kind kind, String delay) {
        switch (kind) {
            case LOSE_REQUEST:
                return "the request is lost";
            case LOSE_REPLY:
                return "the reply is lost";
            case DELAY_REQUEST:
                return "the request comes " + delay + " late";
            case DELAY_REPLY:
                return "the reply comes " + delay + " late";
            case REPEAT:
                return "the request comes again " + delay + " later";
            case REFUSE:
                return "refused with a passing error";
            case DO_AND_FAIL:
                return "done, and answered with a passing error";
            case CRASH_WHEN_SENT:
                return "crash when it is sent, down " + delay;
            case CRASH_WHEN_DONE:
                return "crash when it is done, down " + delay;
            case PAUSE_WHEN_SENT:
                return "pause of " + delay + " when it is sent";
            case PAUSE_WHEN_DONE:
                return "pause of " + delay + " when it is done";
            default:
                throw new IllegalArgumentException("no words for the fate " + kind);
        }
    }

    /** A rate as millionths. */
    static String rate(long ppb) {
        String size = Math.abs(ppb) / 1_000
                + (ppb % 1_000 == 0 ? "" : "." + (1_000 + Math.abs(ppb) % 1_000 + "").substring(1));
        return (ppb < 0 ? "-" : "+") + size + " ppm";
    }

    private static String choice(Choice choice) {
        return (choice.age() == 0 ? "the newest tenure of " : "tenure " + choice.age() + " before the newest of ")
                + lease(choice.lease());
    }

    private static String lease(int lease) {
        return "lease-" + lease;
    }

    private static String holder(int holder) {
        return "holder-" + holder;
    }
}
