package dev.leasehold.simulator.mutants.advice;

import dev.leasehold.engine.internal.rules.Decision;
import dev.leasehold.engine.internal.rules.DecisionContext;
import dev.leasehold.engine.internal.rules.HoldBasis;
import dev.leasehold.engine.internal.rules.LocalKnowledge;
import dev.leasehold.engine.internal.rules.ObservedLease;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.time.ExpiryBound;
import dev.leasehold.engine.internal.time.Validity;
import dev.leasehold.simulator.plan.Components;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import net.bytebuddy.asm.Advice;
import org.jspecify.annotations.Nullable;

/** What is decided instead of what the rules say. A changed rule sees another request or another lease, or changes the decision. */
public enum ChangedRule {
    /** The next tenure has the token of the one before. */
    SAME_TOKEN {
        @Override
        Decision decision(Request request, ObservedLease observed, DecisionContext at, Decision.Write decision) {
            return decision.tenure() != null
                            && decision.write() instanceof LeaseWrite.Replace write
                            && write.document().token() != write.guard().token()
                    ? withToken(decision, write, write.guard().token())
                    : decision;
        }

        private Decision withToken(Decision.Write decision, LeaseWrite.Replace write, long token) {
            LeaseDocument document = Components.with(write.document(), "token", token);
            return written(Components.with(decision, "tenure", document.tenure()), write, document);
        }
    },

    /** A first document rests on what every document does. */
    WITHOUT_THE_FLOOR {
        @Override
        Decision decision(Request request, ObservedLease observed, DecisionContext at, Decision.Write decision) {
            return decision.dependency() instanceof Decision.WriteDependency.OnTokenFloor
                    ? Components.with(decision, "dependency", new Decision.WriteDependency.OnOwnEntry())
                    : decision;
        }
    },

    /** An extension stores what was asked for, however long the lease was granted before. */
    EXTENSION_MAY_SHORTEN {
        @Override
        Decision decision(Request request, ObservedLease observed, DecisionContext at, Decision.Write decision) {
            if (!(request instanceof Request.Extend extend)
                    || !(decision.write() instanceof LeaseWrite.Replace write)) {
                return decision;
            }
            long expiryNanos = at.stampNanos() + extend.durationNanos();
            return written(decision, write, Components.with(write.document(), "expiryNanos", expiryNanos));
        }
    },

    /** The holder releases the lease under whichever token it has it now. */
    RELEASE_OF_ANY_TOKEN {
        @Override
        Request request(Request request, ObservedLease observed) {
            return request instanceof Request.Release release
                            && observed instanceof ObservedLease.Lease lease
                            && release.holder().equals(lease.document().holder())
                    ? new Request.Release(lease.document().tenure(), release.notBeforeNanos(), false, null)
                    : request;
        }
    },

    /** Pins keep no engine from taking a lease. */
    PINS_IGNORED {
        @Override
        ObservedLease observed(Request request, ObservedLease observed) {
            return pins(request, observed).isEmpty() ? observed : with(observed, "pins", Set.of());
        }

        /** The write leaves the pins as they are, and does not look at them. */
        @Override
        Decision decision(Request request, ObservedLease observed, DecisionContext at, Decision.Write decision) {
            Set<String> pins = pins(request, observed);
            return !pins.isEmpty() && decision.write() instanceof LeaseWrite.Replace write
                    ? written(
                            decision,
                            Components.with(write, "unlessPinned", false),
                            Components.with(write.document(), "pins", pins))
                    : decision;
        }

        private Set<String> pins(Request request, ObservedLease observed) {
            return request instanceof Request.ToHold && observed instanceof ObservedLease.Lease lease
                    ? lease.document().pins()
                    : Set.of();
        }
    },

    /** Until when a lease is kept free does not count. */
    KEPT_FREE_IGNORED {
        @Override
        ObservedLease observed(Request request, ObservedLease observed) {
            return request instanceof Request.ToHold && observed instanceof ObservedLease.Lease it
                    ? new ObservedLease.Lease(
                            it.document(), it.own(), it.orphaned(), it.safeAfterNanos(), it.sessionSeenNanos())
                    : observed;
        }
    },

    /** An engine that supersedes finds its own name in every lease. */
    SUPERSEDES_ANY_HOLDER {
        @Override
        ObservedLease observed(Request request, ObservedLease observed) {
            return request instanceof Request.Acquire acquire
                            && acquire.supersede()
                            && observed instanceof ObservedLease.Lease lease
                            && lease.isHeld()
                    ? with(lease, "holder", acquire.holder())
                    : observed;
        }
    },

    /** What is granted has the token of the tenure before. */
    GRANTED_UNDER_THE_SAME_TOKEN {
        @Override
        Decision decision(Request request, ObservedLease observed, DecisionContext at, Decision.Write decision) {
            return granted(
                    request,
                    at,
                    decision,
                    write -> Components.with(
                            write.document(), "token", write.guard().token()));
        }
    },

    /** What is granted has the name of the engine that grants it, and a stamp of that. */
    GRANTED_UNDER_THE_OWN_NAME {
        @Override
        Decision decision(Request request, ObservedLease observed, DecisionContext at, Decision.Write decision) {
            return granted(
                    request,
                    at,
                    decision,
                    write -> Components.with(
                            Components.with(write.document(), "writer", at.writer()), "writtenNanos", at.stampNanos()));
        }
    },

    /** A pin does not keep a lease from being granted to a ticket. */
    GRANTED_ALTHOUGH_PINNED {
        @Override
        ObservedLease observed(Request request, ObservedLease observed) {
            return pinsOfReleased(request, observed).isEmpty() ? observed : with(observed, "pins", Set.of());
        }

        @Override
        Decision decision(Request request, ObservedLease observed, DecisionContext at, Decision.Write decision) {
            return request instanceof Request.Release && decision.write() instanceof LeaseWrite.Replace write
                    ? written(
                            decision,
                            Components.with(write, "unlessPinned", false),
                            Components.with(write.document(), "pins", pinsOfReleased(request, observed)))
                    : decision;
        }

        private Set<String> pinsOfReleased(Request request, ObservedLease observed) {
            return request instanceof Request.Release && observed instanceof ObservedLease.Lease lease
                    ? lease.document().pins()
                    : Set.of();
        }
    },

    /** A release takes no closed ticket out of the queue, and counts them as taken out. */
    RELEASE_WITHOUT_WITHDRAWAL {
        @Override
        Request request(Request request, ObservedLease observed) {
            return request instanceof Request.Release release && release.handOver() != null
                    ? Components.with(release, "handOver", Components.with(release.handOver(), "withdrawn", null))
                    : request;
        }
    },

    /** What was granted to a former writer of this engine counts as granted to the ticket of the present one. */
    HEARD_UNDER_A_FORMER_NAME {
        @Override
        Request request(Request request, ObservedLease observed) {
            LeaseDocument granted = grantedToFormer(request, observed);
            return granted != null && request instanceof Request.Acquire acquire
                    ? acquire.withTicket(hasNewTicket(acquire, granted) ? (Long) granted.writtenNanos() : null)
                    : request;
        }

        @Override
        ObservedLease observed(Request request, ObservedLease observed) {
            LeaseDocument granted = grantedToFormer(request, observed);
            return granted == null ? observed : new ObservedLease.Lease(granted, true, false, ExpiryBound.NEVER, null);
        }

        /** The session of a ticket's writer was begun for that. */
        @Override
        LocalKnowledge knowledge(Request request, ObservedLease observed, LocalKnowledge knowledge) {
            return grantedToFormer(request, observed) == null
                    ? knowledge
                    : Components.with(knowledge, "sessionValid", true);
        }

        /** Before it has one, the lease counts as held. */
        private boolean hasNewTicket(Request.Acquire acquire, LeaseDocument granted) {
            return acquire.ticketNanos() != null && acquire.ticketNanos() != granted.writtenNanos();
        }

        /** A holder that its caller did not name has the name of the writer to which it came. */
        private @Nullable LeaseDocument grantedToFormer(Request request, ObservedLease observed) {
            return request instanceof Request.Acquire acquire
                            && observed instanceof ObservedLease.Lease lease
                            && !lease.own()
                            && lease.document().isSessionLease()
                            && acquire.holder().equals(lease.document().holder())
                            && acquire.holder().startsWith(lease.document().writer() + "/")
                    ? lease.document()
                    : null;
        }
    },

    /** Hearing of a grant is a sign of life: what is heard is valid for a session length, also when the session is over. */
    HEARING_IS_LIFE {
        private static final long VALID_NANOS = 10_000_000_000L;

        @Override
        LocalKnowledge knowledge(Request request, ObservedLease observed, LocalKnowledge knowledge) {
            return request instanceof Request.Acquire ? Components.with(knowledge, "sessionValid", true) : knowledge;
        }

        @Override
        Decision heard(DecisionContext at, LocalKnowledge knowledge, Decision.AlreadySo heard) {
            Validity validity = new Validity(at.nowNanos() + VALID_NANOS, at.wallNanos() + VALID_NANOS, VALID_NANOS);
            return knowledge.sessionValid() ? heard : Components.with(heard, "basis", new HoldBasis.Term(validity));
        }
    },

    /** The validity of a term lasts for the time of a reply longer than the term. */
    LONGER_VALIDITY {
        private static final long REPLY_NANOS = 30_000_000;

        @Override
        Decision decision(Request request, ObservedLease observed, DecisionContext at, Decision.Write decision) {
            return decision.basis() instanceof HoldBasis.Term term
                    ? Components.with(decision, "basis", new HoldBasis.Term(longer(term.validity())))
                    : decision;
        }

        private Validity longer(Validity it) {
            return new Validity(it.untilNanos() + REPLY_NANOS, it.wallUntilNanos() + REPLY_NANOS, it.lengthNanos());
        }
    };

    /** Around the function that decides. It may use only what is public, since it becomes a part of that function. */
    public static final class Code {

        @Advice.OnMethodEnter
        static Given enter(
                @Advice.Argument(value = 0, readOnly = false) Request request,
                @Advice.Argument(value = 1, readOnly = false) ObservedLease observed,
                @Advice.Argument(value = 3, readOnly = false) LocalKnowledge knowledge) {
            Given given = new Given(observed, knowledge);
            observed = observedInstead(request, given);
            knowledge = knowledgeInstead(request, given);
            request = requestInstead(request, given);
            return given;
        }

        @Advice.OnMethodExit
        static void exit(
                @Advice.Argument(0) Request request,
                @Advice.Argument(2) DecisionContext at,
                @Advice.Enter Given given,
                @Advice.Return(readOnly = false) Decision decision) {
            decision = decisionInstead(request, given, at, decision);
        }
    }

    /** What the engine knows of the lease. */
    public record Given(ObservedLease observed, LocalKnowledge knowledge) {}

    /** The rule that is changed in the copy of the engine that this class is loaded with: the copy is named after it. */
    private static ChangedRule changed() {
        return valueOf(Objects.requireNonNull(ChangedRule.class.getClassLoader().getName()));
    }

    public static ObservedLease observedInstead(Request request, Given given) {
        return changed().observed(request, given.observed());
    }

    public static LocalKnowledge knowledgeInstead(Request request, Given given) {
        return changed().knowledge(request, given.observed(), given.knowledge());
    }

    public static Request requestInstead(Request request, Given given) {
        return changed().request(request, given.observed());
    }

    public static Decision decisionInstead(Request request, Given given, DecisionContext at, Decision decision) {
        if (decision instanceof Decision.AlreadySo heard && request instanceof Request.Acquire) {
            return changed().heard(at, given.knowledge(), heard);
        }
        return decision instanceof Decision.Write write
                ? changed().decision(request, given.observed(), at, write)
                : decision;
    }

    ObservedLease observed(Request request, ObservedLease observed) {
        return observed;
    }

    LocalKnowledge knowledge(Request request, ObservedLease observed, LocalKnowledge knowledge) {
        return knowledge;
    }

    Request request(Request request, ObservedLease observed) {
        return request;
    }

    /** Called with what the engine knew without the change. */
    Decision heard(DecisionContext at, LocalKnowledge knowledge, Decision.AlreadySo heard) {
        return heard;
    }

    /** Called with the lease as it was observed. */
    Decision decision(Request request, ObservedLease observed, DecisionContext at, Decision.Write decision) {
        return decision;
    }

    private static ObservedLease with(ObservedLease observed, String component, Object value) {
        return observed instanceof ObservedLease.Lease lease
                ? Components.with(lease, "document", Components.with(lease.document(), component, value))
                : observed;
    }

    /** Another document, where a release begins a tenure of another engine. */
    private static Decision granted(
            Request request,
            DecisionContext at,
            Decision.Write decision,
            Function<LeaseWrite.Replace, LeaseDocument> changed) {
        return request instanceof Request.Release
                        && decision.write() instanceof LeaseWrite.Replace write
                        && !write.document().isVacant()
                        && !write.document().writer().equals(at.writer())
                ? written(decision, write, changed.apply(write))
                : decision;
    }

    private static Decision written(Decision.Write decision, LeaseWrite.Replace write, LeaseDocument document) {
        return Components.with(decision, "write", Components.with(write, "document", document));
    }
}
