package dev.leasehold.engine.internal.commit;

import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.ForwardingStore;
import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.Snapshot;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.world.ScriptedStore;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A store to which anything happens that a store may answer, until it calms down. What it answers is always true. */
final class TroubledStore extends ForwardingStore {

    private final ScriptedStore store;
    private final Random chance;
    /** Sent, not answered, and not carried out yet. */
    private @Nullable GuardedTransaction underWay;

    private List<? extends LeaseWrite.Alone> aloneUnderWay = List.of();

    private boolean mayBeSentAgain;
    private boolean landed;
    private boolean calm;

    TroubledStore(ScriptedStore store, Random chance) {
        super(store);
        this.store = store;
        this.chance = chance;
    }

    void calmDown() {
        calm = true;
    }

    private boolean happens(int percent) {
        return !calm && chance.nextInt(100) < percent;
    }

    @Override
    public Snapshot read(Set<String> names, String writer) {
        if (happens(10)) {
            throw new LeaseUnavailableException("no primary", null);
        }
        return super.read(names, writer);
    }

    @Override
    public WriteOutcome commit(GuardedTransaction transaction, BooleanSupplier mayCommit) {
        arrivesOrNot();
        // Its higher number ends what is still open.
        underWay = null;
        aloneUnderWay = List.of();
        landed = false;
        mayBeSentAgain = false;
        if (happens(60)) {
            return switch (chance.nextInt(6)) {
                case 0 -> ScriptedStore.unavailable();
                case 1 -> ScriptedStore.leaseConflict(transaction);
                case 2 -> ScriptedStore.conflict();
                case 3 -> loses(transaction, mayCommit);
                case 4 -> refuses(mayCommit);
                default -> landsUnheard(transaction, mayCommit);
            };
        }
        return super.commit(transaction, mayCommit);
    }

    private static WriteOutcome refuses(BooleanSupplier mayCommit) {
        return mayCommit.getAsBoolean()
                ? WriteOutcome.unavailable(new LeaseUnavailableException("no such transaction", null))
                : WriteOutcome.WITHHELD;
    }

    private WriteOutcome loses(GuardedTransaction transaction, BooleanSupplier mayCommit) {
        WriteOutcome outcome = ScriptedStore.sentInVain(transaction, mayCommit);
        mayBeSentAgain = outcome.verdict() == WriteOutcome.Verdict.UNKNOWN;
        underWay = mayBeSentAgain ? transaction : null;
        return outcome;
    }

    private WriteOutcome landsUnheard(GuardedTransaction transaction, BooleanSupplier mayCommit) {
        WriteOutcome outcome = store.landUnheard(transaction, mayCommit);
        landed = outcome.verdict() == WriteOutcome.Verdict.UNKNOWN;
        mayBeSentAgain = landed;
        return outcome;
    }

    /** What is under way arrives late, or is lost. */
    private void arrivesOrNot() {
        if (underWay != null && chance.nextBoolean()) {
            landed = store.apply(underWay, () -> true).verdict() == WriteOutcome.Verdict.APPLIED;
            underWay = null;
        }
        if (chance.nextBoolean()) {
            store.applyAlone(aloneUnderWay);
            aloneUnderWay = List.of();
        }
    }

    @Override
    public WriteOutcome writeLeases(String writer, List<? extends LeaseWrite.Alone> writes) {
        mayBeSentAgain = false;
        underWay = null;
        aloneUnderWay = List.of();
        if (!happens(60)) {
            return super.writeLeases(writer, writes);
        }
        return switch (chance.nextInt(6)) {
            case 0 -> ScriptedStore.unavailable();
            case 1 -> WriteOutcome.failed(new LeaseStoreException("refused", null));
            case 2 -> {
                store.applyAlone(some(writes));
                yield ScriptedStore.conflict();
            }
            case 3 -> {
                store.applyAlone(some(writes));
                yield writes.size() == 1 ? ScriptedStore.unknown() : WriteOutcome.MISSED;
            }
            case 4 -> {
                store.applyAlone(writes);
                yield ScriptedStore.unknown();
            }
            default -> {
                aloneUnderWay = writes;
                yield ScriptedStore.unknown();
            }
        };
    }

    private List<? extends LeaseWrite.Alone> some(List<? extends LeaseWrite.Alone> writes) {
        return writes.stream().filter(write -> chance.nextBoolean()).toList();
    }

    @Override
    public WriteOutcome commitAgain() {
        arrivesOrNot();
        if (!mayBeSentAgain || happens(50)) {
            return ScriptedStore.unknown();
        }
        underWay = null;
        return landed ? WriteOutcome.APPLIED : ScriptedStore.unavailable();
    }

    @Override
    public WriteOutcome writeClock(ClockWrite write) {
        mayBeSentAgain = false;
        arrivesOrNot();
        return happens(50) ? troubled(() -> carriedOut(write)) : carriedOut(write);
    }

    private WriteOutcome carriedOut(ClockWrite write) {
        underWay = null;
        aloneUnderWay = List.of();
        return super.writeClock(write);
    }

    private WriteOutcome troubled(Runnable write) {
        return switch (chance.nextInt(5)) {
            case 0 -> ScriptedStore.unavailable();
            case 1 -> ScriptedStore.conflict();
            case 2 -> ScriptedStore.unknown();
            case 3 -> WriteOutcome.failed(new LeaseStoreException("refused", null));
            default -> {
                write.run();
                yield ScriptedStore.unknown();
            }
        };
    }
}
