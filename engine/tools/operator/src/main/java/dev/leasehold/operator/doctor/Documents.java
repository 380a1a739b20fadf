package dev.leasehold.operator.doctor;

import dev.leasehold.engine.ClockState;
import dev.leasehold.engine.LeaseDetails;
import dev.leasehold.engine.LeaseInspector;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.WriterState;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The documents of the namespace: that they keep to the schema, and that the clock documents do not grow for ever. */
final class Documents {

    private static final String LEASES = "leases";
    private static final String WRITERS = "writers";
    private static final String DRIFT = "drift";

    /** From about here on transactions get slower. */
    private static final int WRITERS_MAX = 1_000;

    private final LeaseInspector inspector;

    Documents(LeaseInspector inspector) {
        this.inspector = inspector;
    }

    List<Finding> look() {
        List<Finding> findings = new ArrayList<>();
        findings.addAll(leases(inspector.leases()));
        List<WriterState> writers = inspector.writers();
        findings.addAll(writers(writers));
        findings.add(drift(writers));
        for (ClockState clock : inspector.clocks()) {
            findings.add(size(clock));
        }
        return findings;
    }

    private static List<Finding> leases(List<LeaseDetails> leases) {
        List<Finding> corrupt = leases.stream()
                .filter(lease -> lease.state() instanceof LeaseState.Corrupt)
                .map(lease -> Finding.problem(
                        LEASES,
                        lease.state().describe(),
                        "no process can use this lease until the field is as it must be. Close what works under it, set the field"
                                + " by hand, and never lower the token; the runbook says how"))
                .toList();
        return corrupt.isEmpty()
                ? List.of(Finding.ok(LEASES, "all lease documents keep to the schema, " + leases.size() + " in number"))
                : corrupt;
    }

    private static List<Finding> writers(List<WriterState> writers) {
        return writers.stream()
                .filter(WriterState.Corrupt.class::isInstance)
                .map(WriterState.Corrupt.class::cast)
                .map(writer -> Finding.problem(
                        WRITERS,
                        "the entry of engine " + writer.writer() + " in the clock document of " + writer.partition()
                                + " is corrupt: field '" + writer.field() + "': " + writer.found(),
                        "none of its leases can be used. Stop that engine, then remove its entry by hand; its leases are"
                                + " free after that"))
                .toList();
    }

    /** Each engine waits by its own before it takes a lease, so the smallest is what the guarantee rests on. */
    private static Finding drift(List<WriterState> writers) {
        SortedMap<Long, String> engines = new TreeMap<>();
        for (WriterState writer : writers) {
            if (writer instanceof WriterState.Known known && known.driftPpm() != null) {
                engines.merge(known.driftPpm(), known.writer(), (one, other) -> one);
            }
        }
        if (engines.size() <= 1) {
            return Finding.ok(
                    DRIFT,
                    engines.isEmpty()
                            ? "no engine has stored its drift bound"
                            : "all engines were built for a drift of " + engines.firstKey() + " ppm");
        }
        return Finding.problem(
                DRIFT,
                "engines were built for different drifts, and the smallest is what holds: "
                        + engines.entrySet().stream()
                                .map(each -> each.getKey() + " ppm, such as " + each.getValue())
                                .collect(Collectors.joining("; ")),
                "build all engines of the namespace with the same maximumDriftPpm, the largest that any of their clocks needs");
    }

    private static Finding size(ClockState clock) {
        String found = "the clock document of " + clock.partition() + " has " + clock.writers() + " writers and "
                + clock.sizeBytes() + " bytes";
        return clock.writers() < WRITERS_MAX
                ? Finding.ok(WRITERS, found)
                : Finding.notice(
                        WRITERS,
                        found + ": transactions get slower with it",
                        "run leasehold housekeeping now and then");
    }
}
