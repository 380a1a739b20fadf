package dev.leasehold.operator.doctor;

import com.mongodb.MongoException;
import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseInspector;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.operator.view.DisplayText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Looks at everything, one thing after the other. What cannot be looked at keeps nothing else from being looked at. Writes nothing. */
public final class Doctor {

    private static final String CONNECTION = "connection";
    private static final Duration SLOW = Duration.ofSeconds(2);

    private final LeaseLocation place;
    private final Supplier<LeaseInspector> inspectors;
    private final Duration look;
    private long beginNanos;

    /**
     * Looks at nothing yet.
     *
     * @param place where the leases are
     * @param inspectors opens an inspector of the namespace
     * @param look how long to look at what goes on
     */
    public Doctor(LeaseLocation place, Supplier<LeaseInspector> inspectors, Duration look) {
        this.place = place;
        this.inspectors = inspectors;
        this.look = look;
    }

    /** Something to look at. */
    private interface Check {
        List<Finding> look() throws InterruptedException;
    }

    /** All findings, those that are as they should be too. */
    public List<Finding> examine() throws InterruptedException {
        List<Finding> findings = new ArrayList<>();
        beginNanos = System.nanoTime();
        Map<String, Check> checks = new LinkedHashMap<>();
        checks.put("deployment", new Deployment(place)::look);
        checks.put("rights", new Rights(place)::look);
        checks.put("collection", new LeaseCollection(place)::look);
        checks.put("namespace", this::namespace);
        for (Map.Entry<String, Check> check : checks.entrySet()) {
            findings.addAll(tried(check.getKey(), check.getValue()));
            if (isCutOff(findings)) {
                return findings;
            }
        }
        return findings;
    }

    private List<Finding> namespace() throws InterruptedException {
        List<Finding> findings = new ArrayList<>();
        try (LeaseInspector inspector = inspectors.get()) {
            findings.add(speed());
            findings.addAll(tried("leases", new Documents(inspector)::look));
            if (!isCutOff(findings)) {
                findings.addAll(tried("activity", new Activity(place, inspector, look)::look));
            }
        }
        return findings;
    }

    /** Each further look would only wait for its limit of time. */
    private static boolean isCutOff(List<Finding> findings) {
        return findings.stream()
                .anyMatch(finding ->
                        finding.check().equals(CONNECTION) && finding.severity() == Finding.Severity.PROBLEM);
    }

    /** Everything so far was a handful of small reads. */
    private Finding speed() {
        Duration took = Duration.ofNanos(System.nanoTime() - beginNanos);
        String found = "the servers answered the first questions within " + DisplayText.of(took);
        return took.compareTo(SLOW) < 0
                ? Finding.ok(CONNECTION, found)
                : Finding.notice(
                        CONNECTION,
                        found + ": what is shown may be that old",
                        "look at the load of the servers, and at the network on the way to them");
    }

    private static List<Finding> tried(String check, Check looking) throws InterruptedException {
        try {
            return looking.look();
        } catch (CorruptDocumentException e) {
            return List.of(corruptClock(e));
        } catch (LeaseUnavailableException e) {
            return List.of(Finding.problem(
                    CONNECTION,
                    check + " could not be looked at: " + e.getMessage(),
                    "look whether there is a primary that answers; then look again"));
        } catch (LeaseException e) {
            return List.of(Finding.problem(check, String.valueOf(e.getMessage()), "see what it says; then look again"));
        } catch (MongoException e) {
            return List.of(refused(check, e));
        }
    }

    private static Finding refused(String check, MongoException thrown) {
        return Refusals.isForLackOfRights(thrown)
                ? Finding.notice(
                        check,
                        "could not be looked at: " + Refusals.describe(thrown),
                        "look with a user that has the right")
                : Finding.problem(
                        CONNECTION,
                        "the servers cannot be asked: " + Refusals.describe(thrown),
                        "look whether the connection string, the network and the user are right, and whether there is a primary");
    }

    private static Finding corruptClock(CorruptDocumentException thrown) {
        String check = thrown.field().equals("schema") ? "schema" : "clock-document";
        return Finding.problem(
                check,
                String.valueOf(thrown.getMessage()),
                switch (thrown.field()) {
                    case "_id" ->
                        "look whether database, collection and namespace are the right ones; the first engine makes the clock"
                                + " document. If it was deleted, the runbook says how to go on";
                    case "schema" ->
                        "a newer engine has raised the schema: upgrade what is older, this tool too. Nothing is damaged";
                    case "partitions" ->
                        "all engines of a namespace must be built with the same number of partitions; operations says how"
                                + " to change it";
                    default ->
                        "no engine can write in this partition until the field is as it must be; the runbook says how to mend a"
                                + " document by hand";
                });
    }
}
