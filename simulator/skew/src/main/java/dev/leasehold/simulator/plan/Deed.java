package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Deed.Group.AIMED;
import static dev.leasehold.simulator.plan.Deed.Group.DATA;
import static dev.leasehold.simulator.plan.Deed.Group.DATABASE;
import static dev.leasehold.simulator.plan.Deed.Group.GATES;
import static dev.leasehold.simulator.plan.Deed.Group.HANDLES;
import static dev.leasehold.simulator.plan.Deed.Group.NODES;
import static dev.leasehold.simulator.plan.Deed.Group.OPERATORS;
import static dev.leasehold.simulator.plan.Deed.Group.OUTSIDE;
import static dev.leasehold.simulator.plan.Deed.Group.RARE;
import static dev.leasehold.simulator.plan.Deed.Group.TERMS;
import static dev.leasehold.simulator.plan.Deed.Group.WALLS;

import java.util.function.Consumer;

/** What a history is made of: single commands, and short stories of several that belong together. */
enum Deed {
    CLAIM(TERMS, 8, TermStories::claim),
    TAKE_OVER(TERMS, 5, TermStories::takeOver),
    EXTEND(TERMS, 6, TermStories::extend),
    RELEASE(TERMS, 3, TermStories::release),
    EXPIRE(TERMS, 3, TermStories::expire),
    REFRESH(TERMS, 3, TermStories::refresh),
    LIST(TERMS, 1, TermStories::list),
    HOUSEKEEPING(TERMS, 2, TermStories::housekeeping),
    CONTENTION(TERMS, 3, TermStories::contention),
    CLAIM_AGAIN(TERMS, 3, TermStories::claimAgain),
    TWO_ENGINES(TERMS, 3, TermStories::twoEngines),
    BATCH(TERMS, 2, TermStories::batch),

    NEAR_EXPIRY(AIMED, 10, AimedStories::nearExpiry),
    EXTENSION_STORM(AIMED, 3, AimedStories::extensionStorm),
    DUEL(AIMED, 3, AimedStories::duel),
    LATE_SIGHT(AIMED, 2, AimedStories::lateSight),
    OLD_SIGHT(AIMED, 2, AimedStories::oldSight),
    SHORTER_BY_ANOTHER(AIMED, 2, AimedStories::shorterByAnother),
    LATE_REPLY(AIMED, 2, AimedStories::lateReply),

    SESSION(HANDLES, 8, HandleStories::session),
    HANDOVER(HANDLES, 4, HandleStories::handover),
    EVICTION(HANDLES, 4, HandleStories::eviction),
    TERM_HANDLE(HANDLES, 5, HandleStories::termHandle),
    WAITERS(HANDLES, 3, HandleStories::waiters),
    MIXED_KINDS(HANDLES, 2, HandleStories::mixedKinds),
    SUPERSEDED(HANDLES, 2, HandleStories::superseded),
    FAILED_RENEWAL(HANDLES, 1, HandleStories::failedRenewal),

    GATE(GATES, 5, GateStories::gate),
    STRADDLE(GATES, 4, GateStories::straddle),
    FORGETFUL(GATES, 2, GateStories::forgetful),
    OLD_TENURE(GATES, 3, GateStories::oldTenure),

    FORCE_EXPIRE(OPERATORS, 2, OperatorStories::forceExpire),
    PIN(OPERATORS, 2, OperatorStories::pin),

    RESTART(NODES, 2, NodeStories::restart),
    PAUSE(NODES, 3, NodeStories::pause),
    MIGRATE(NODES, 2, NodeStories::migrate),
    SUSPEND(NODES, 3, NodeStories::suspend),
    CRASH(NODES, 3, NodeStories::crash),
    DEATH(NODES, 1, NodeStories::death),
    CUT_OFF(NODES, 3, NodeStories::cutOff),
    CRASH_AND_RETURN(NODES, 2, NodeStories::crashAndReturn),

    WALL_STEP(WALLS, 3, NodeStories::wallStep),
    STROBE(WALLS, 1, NodeStories::strobe),

    FAIL_OVER(DATABASE, 2, DatabaseStories::failOver),
    LOSS(DATABASE, 2, DatabaseStories::loss),
    LAG(DATABASE, 2, DatabaseStories::lag),
    STRAY(DATABASE, 1, DatabaseStories::stray),
    STORM(DATABASE, 2, DatabaseStories::storm),
    STUCK(DATABASE, 2, DatabaseStories::stuck),

    CORRUPT(DATA, 1, DatabaseStories::corrupt),

    CLONE_WRITER(OUTSIDE, 2, NodeStories::cloneWriter),
    MONOTONIC_STEP(OUTSIDE, 3, NodeStories::monotonicStep),
    HIDDEN_SUSPEND(OUTSIDE, 3, NodeStories::hiddenSuspend),

    OWNER_COMES_BACK(RARE, 2, RareStories::ownerComesBack),
    GIVEN_UP_UNHEARD(RARE, 2, RareStories::givenUpUnheard),
    KEPT_FREE(RARE, 4, RareStories::keptFree),
    SHARED(RARE, 3, RareStories::shared),
    LOST_ABORT(RARE, 2, RareStories::lostAbort),
    DOUBT_AFTER_CONFLICT(RARE, 2, RareStories::doubtAfterConflict),
    FAILED_BEAT(RARE, 2, RareStories::failedBeat),
    MIXED(RARE, 2, RareStories::mixed),
    REVIVED(RARE, 2, RareStories::revived),
    HIDDEN_BY_DAMAGE(RARE, 2, RareStories::hiddenByDamage),
    ABSENT_BEFORE_AND_AFTER(RARE, 2, RareStories::absentBeforeAndAfter),
    CARRIED_OVER(RARE, 2, RareStories::carriedOver),
    STRIPED(RARE, 2, GateStories::striped);

    /** What belongs together when a profile says how often something comes. */
    enum Group {
        TERMS(false),
        AIMED(false),
        HANDLES(false),
        GATES(false),
        OPERATORS(true),
        NODES(true),
        WALLS(true),
        DATABASE(true),
        DATA(true),
        OUTSIDE(true),
        /** Only where a profile wants them in every history. */
        RARE(false);

        private final boolean fault;

        Group(boolean fault) {
            this.fault = fault;
        }

        /** Whether it is trouble, so that a history may have none of it. */
        boolean isFault() {
            return fault;
        }
    }

    private final Group group;
    private final int weight;
    private final Consumer<Draft> story;

    Deed(Group group, int weight, Consumer<Draft> story) {
        this.group = group;
        this.weight = weight;
        this.story = story;
    }

    Group group() {
        return group;
    }

    /** How often it comes, compared with others of its group. */
    int weight() {
        return weight;
    }

    void addTo(Draft draft) {
        story.accept(draft);
    }
}
