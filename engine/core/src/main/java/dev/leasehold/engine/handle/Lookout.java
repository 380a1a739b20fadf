package dev.leasehold.engine.handle;

import dev.leasehold.engine.LeaseLoss.Reason;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.commit.LeaseReader;
import dev.leasehold.engine.commit.Look;
import dev.leasehold.engine.handle.Agenda.Alarm;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks by itself, for whatever no message tells of: now and then at all leases that somebody waits for, and at those held
 * here when there are no messages at all. Of the agenda's thread alone.
 */
final class Lookout {

    private static final Logger LOG = LoggerFactory.getLogger(Lookout.class);

    private static final long WAITING_PERIOD_NANOS = 5_000_000_000L;
    /** After a refusal because of a session, whose next heartbeat is to be seen soon. Most waits are over by then. */
    private static final long FIRST_LOOK_NANOS = 100_000_000;

    private static final long HOLDING_PERIOD_NANOS = 30_000_000_000L;
    /** Most suspicions come from an engine's own writes, and are about leases that are given up again soon. */
    private static final long SUSPENSE_NANOS = 50_000_000;
    /** After a look that failed, which has most often taken its whole time. */
    private static final long LOOK_AGAIN_NANOS = 1_000_000_000;

    private final Surroundings around;
    private final Lines lines;
    private final Holdings holdings;
    private @Nullable Alarm forWaiters;
    private @Nullable Alarm forHolders;
    private @Nullable Alarm forSuspects;
    private final Set<Holding> suspects = new LinkedHashSet<>();
    private boolean blind;

    Lookout(Surroundings around, Lines lines, Holdings holdings) {
        this.around = around;
        this.lines = lines;
        this.holdings = holdings;
    }

    /** Whether nobody tells of changes from now on. */
    void blind(boolean blind) {
        this.blind = blind;
        if (!blind && forHolders != null) {
            around.agenda().cancel(forHolders);
            forHolders = null;
        }
    }

    /** Sets the next looks, if there is anything to look at. */
    void tend() {
        if (forWaiters == null && !lines.isEmpty()) {
            lookForWaitersBy(around.inNanos(WAITING_PERIOD_NANOS));
        }
        suspect(lines.takeSuspects());
        if (lines.takeRefusedBySession()) {
            lookForWaitersBy(around.inNanos(FIRST_LOOK_NANOS));
        }
        if (blind && forHolders == null && holdings.count() > 0) {
            forHolders = around.agenda().at(around.inNanos(HOLDING_PERIOD_NANOS), this::lookForHolders);
        }
    }

    private void lookForWaitersBy(long atNanos) {
        if (forWaiters != null && forWaiters.atNanos() > atNanos) {
            around.agenda().cancel(forWaiters);
            forWaiters = null;
        }
        if (forWaiters == null) {
            forWaiters = around.agenda().at(atNanos, this::lookForWaiters);
        }
    }

    private void lookForWaiters() {
        forWaiters = null;
        look(lines.sleeping(), this::tellWaiters, names -> {});
    }

    private void tellWaiters(Look look) {
        look.states().forEach(this::tellWaiter);
        if (look.nextNanos() < Long.MAX_VALUE && !lines.isEmpty()) {
            lookForWaitersBy(look.nextNanos());
        }
    }

    private void tellWaiter(LeaseState state) {
        lines.withLine(state.name(), line -> {
            // Who is looking by now will know better.
            if (line.sleeps()) {
                line.seen(state);
            }
        });
    }

    private void lookForHolders() {
        forHolders = null;
        inspect(holdings.all());
    }

    /** Somebody may have ended these. */
    void suspect(Collection<Holding> holdings) {
        suspect(holdings, SUSPENSE_NANOS);
    }

    private void suspect(Collection<Holding> holdings, long forNanos) {
        suspects.addAll(holdings);
        if (forSuspects == null && !suspects.isEmpty()) {
            forSuspects = around.agenda().at(around.inNanos(forNanos), this::lookForSuspects);
        }
    }

    private void lookForSuspects() {
        forSuspects = null;
        List<Holding> present = suspects.stream().filter(holdings::has).toList();
        suspects.clear();
        inspect(present);
    }

    /** Something may have been missed about all that is held. */
    void suspectAll() {
        suspect(holdings.all());
    }

    /** Looks whether tenures still stand. */
    private void inspect(Collection<Holding> suspects) {
        // One that began after the read was sent is not among the suspects: the read may not have seen it.
        Map<String, List<Holding>> byName = suspects.stream()
                .collect(Collectors.groupingBy(
                        holding -> holding.tenure().name(), LinkedHashMap::new, Collectors.toList()));
        look(
                byName.keySet(),
                look -> look.states()
                        .forEach(state -> Objects.requireNonNull(byName.get(state.name())).stream()
                                .filter(holding -> !standsIn(state, holding))
                                .forEach(holding -> holdings.lose(holding, Reason.TAKEN_OVER, null))),
                names -> names.forEach(name -> suspectAgain(Objects.requireNonNull(byName.get(name)))));
    }

    /** The word that raised the suspicion does not come twice. */
    private void suspectAgain(Collection<Holding> holdings) {
        suspect(holdings, LOOK_AGAIN_NANOS);
    }

    private static boolean standsIn(LeaseState state, Holding holding) {
        return state instanceof LeaseState.Corrupt
                || state instanceof LeaseState.Held held && held.tenure().equals(holding.tenure());
    }

    /**
     * Looks at leases.
     *
     * @param seen gets what each read has shown
     * @param failed gets the names of all that shared a read which has shown nothing
     */
    private void look(Set<String> names, Consumer<Look> seen, Consumer<Set<String>> failed) {
        for (Set<String> part : LeaseReader.parts(names)) {
            around.operations()
                    .look(part, around.budgetEndNanos())
                    .forEach(read ->
                            read.whenComplete((look, failure) -> around.agenda().post(() -> {
                                if (look == null) {
                                    LOG.debug(
                                            "namespace '{}': a look at the leases has failed",
                                            around.settings().namespace(),
                                            failure);
                                    failed.accept(part);
                                } else {
                                    seen.accept(look);
                                }
                            })));
        }
    }
}
