package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Change;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Change.TicketRow;
import dev.leasehold.simulator.history.HeldTenure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The reference model of one lease: its document as a sequence of tenures; and the calls that asked for it, and the engines that took it to be held. */
final class LeaseLog {

    /**
     * What the document was from a write on.
     *
     * @param lease whose document
     * @param commit the write
     * @param written the write before, by an engine or not; null for the first
     * @param before what it was before; null for no document
     * @param row what it was then; null for no document
     * @param heldBefore the tenure that it showed before; null for none
     * @param held the tenure that it shows then; null for none
     */
    record Version(
            LeaseLog lease,
            Commit commit,
            @Nullable Commit written,
            @Nullable LeaseRow before,
            @Nullable LeaseRow row,
            @Nullable Tenure heldBefore,
            @Nullable Tenure held) {

        /** The tenure that this write began; null for none. */
        @Nullable Tenure begun() {
            return held == heldBefore ? null : held;
        }

        /** The ticket for which this write began a tenure; null for none. */
        @Nullable Ticket grantedTo() {
            Tenure begun = begun();
            return begun == null ? null : begun.ticket;
        }

        /** The tenure that this write ended; null for none. */
        @Nullable Tenure ended() {
            return held == heldBefore ? null : heldBefore;
        }

        /** Whether it was damaged before or is so now. */
        boolean isDamaged() {
            return before != null && !before.sound() || row != null && !row.sound();
        }
    }

    /**
     * What the queue was from a write on.
     *
     * @param tickets in order of arrival
     */
    record Queue(Commit commit, List<TicketRow> tickets) {}

    final String name;
    final List<Version> versions = new ArrayList<>();
    final List<Queue> queues = new ArrayList<>();
    /** All that ever were in the queue, in the order of their arrival. */
    final Map<Ticket.Name, Ticket> tickets = new LinkedHashMap<>();
    /** In the order in which they began. */
    final List<Tenure> tenures = new ArrayList<>();
    /** The calls about it, in the order in which they began. */
    final List<Call> calls = new ArrayList<>();
    /** In the order in which they began. */
    final List<ValidityWindow> windows = new ArrayList<>();

    private long damagedNanos = Long.MIN_VALUE;
    /** When writes of it were taken back, which callers' transactions may have read; MIN_VALUE for never. */
    long takenBackNanos = Long.MIN_VALUE;

    LeaseLog(String name) {
        this.name = name;
    }

    @Nullable Version latest() {
        return versions.isEmpty() ? null : versions.get(versions.size() - 1);
    }

    @Nullable Tenure tenure(@Nullable HeldTenure held) {
        return Model.newest(tenures, tenure -> tenure.held.equals(held));
    }

    /** The last time that an engine said of a tenure that it is held; null if it never did. */
    @Nullable ValidityWindow lastWindow(Incarnation by, HeldTenure tenure) {
        return Model.newest(windows, window -> window.isOf(by, tenure));
    }

    /** Whether the document was ever damaged by hand. */
    boolean isDamaged() {
        return damagedNanos > Long.MIN_VALUE;
    }

    /** When it was damaged or mended for the last time; MIN_VALUE for never, and NEVER while it is damaged. */
    long mendedNanos() {
        Version latest = latest();
        boolean isDamagedYet =
                latest != null && latest.row() != null && !latest.row().sound();
        return isDamagedYet ? Incarnation.NEVER : damagedNanos;
    }

    /** What a state of the document has as its end. Assertions and pins leave the writer of that and its stamp as they were. */
    @Nullable StoredTime storedExpiry(LeaseRow row) {
        for (Version version : versions) {
            LeaseRow written = version.row();
            if (written != null
                    && written.token() == row.token()
                    && written.writtenNanos() == row.writtenNanos()
                    && written.writer().equals(row.writer())) {
                return StoredTime.ofExpiry(version.commit(), row);
            }
        }
        return null;
    }

    /** Whether one of the states in which a majority had the document, or none, during a call is as asked. The newest are asked first. */
    boolean anyDuring(Call call, Predicate<@Nullable LeaseRow> question) {
        long untilNanos = Incarnation.NEVER;
        for (int i = versions.size() - 1; i >= -1 && untilNanos >= call.calledNanos; i--) {
            long fromNanos = i < 0 ? Long.MIN_VALUE : versions.get(i).commit().majorityNanos;
            boolean wasSeen = fromNanos <= call.answeredNanos && fromNanos < Incarnation.NEVER;
            if (wasSeen && question.test(i < 0 ? first() : versions.get(i).row())) {
                return true;
            }
            untilNanos = fromNanos;
        }
        return false;
    }

    private @Nullable LeaseRow first() {
        return versions.isEmpty() ? null : versions.get(0).before();
    }

    // ---- what writes make of it ----

    /** A write that was not taken back. They come in their order. */
    Version written(Commit commit, Change.OfLease change) {
        Version latest = latest();
        LeaseRow before = latest == null ? change.before() : latest.row();
        LeaseRow after = change.after();
        Tenure heldBefore = latest == null ? null : latest.held();
        if (commit.isByHand() || before != null && !before.sound()) {
            damagedNanos = commit.atNanos;
        }
        // The holder of a lease whose document is damaged still holds it, as soon as it is mended.
        boolean unreadable = after != null && !after.sound();
        Tenure held = unreadable ? heldBefore : held(heldBefore, after, commit);
        if (heldBefore != null && held != heldBefore) {
            heldBefore.ended = commit;
        }
        if (held != null && after != null && !unreadable) {
            noteWrite(held, after, commit);
        }
        Commit written = latest == null ? null : latest.commit();
        Version version = new Version(this, commit, written, before, after, heldBefore, held);
        versions.add(version);
        return version;
    }

    /** A write of the queue that was not taken back. */
    void queued(Commit commit, Change.OfQueue change) {
        queues.add(new Queue(commit, change.tickets()));
        change.tickets().forEach(row -> tickets.computeIfAbsent(Ticket.Name.of(row), name -> new Ticket(row, commit)));
    }

    /** What the lease was granted to by a write that began a tenure; null for a claim. No claim has the stamp of a ticket. */
    private @Nullable Ticket granted(LeaseRow after) {
        Ticket ticket = tickets.get(new Ticket.Name(after.writer(), after.writtenNanos()));
        return ticket == null
                        || after.expiryNanos() != null
                        || !ticket.row.holder().equals(after.holder())
                ? null
                : ticket;
    }

    private @Nullable Tenure held(@Nullable Tenure heldBefore, @Nullable LeaseRow after, Commit commit) {
        if (after == null || after.holder() == null) {
            return null;
        }
        HeldTenure held = new HeldTenure(name, after.holder(), after.token());
        if (heldBefore != null && heldBefore.held.equals(held)) {
            return heldBefore;
        }
        Ticket ticket = granted(after);
        Tenure begun = new Tenure(this, held, commit, after.writer(), ticket);
        tenures.add(begun);
        if (ticket != null) {
            ticket.tenures.add(begun);
        }
        return begun;
    }

    /** Assertions and pins leave the writer and its stamp as they were. */
    private static void noteWrite(Tenure tenure, LeaseRow after, Commit commit) {
        Tenure.Write last = tenure.lastWrite();
        Incarnation by = tenure.begun == commit ? tenure.by : commit.by;
        if (by != null
                && (last == null
                        || last.writtenNanos() != after.writtenNanos()
                        || !Objects.equals(last.expiryNanos(), after.expiryNanos()))) {
            tenure.writes.add(new Tenure.Write(commit, by, after.writtenNanos(), after.expiryNanos()));
        }
    }

    /** The session of a writer was ended, or was never there: what it kept is free. */
    void sessionEnded(String writer, Commit commit) {
        Version latest = latest();
        LeaseRow row = latest == null ? null : latest.row();
        if (latest != null
                && latest.held() != null
                && row != null
                && row.expiryNanos() == null
                && row.writer().equals(writer)) {
            latest.held().sessionEnded(commit);
        }
    }
}
