package dev.leasehold.operator.doctor;

import com.mongodb.MongoException;
import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseInspector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Looks at everything, one thing after the other. What cannot be looked at keeps nothing else from being looked at. Writes nothing. */
public final class Doctor {

    private final Place place;
    private final Supplier<LeaseInspector> inspectors;
    private final Duration look;

    /**
     * Looks at nothing yet.
     *
     * @param place where the leases are
     * @param inspectors opens an inspector of the namespace
     * @param look how long to look at what goes on
     */
    public Doctor(Place place, Supplier<LeaseInspector> inspectors, Duration look) {
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
        List<Finding> deployment = tried("deployment", new Deployment(place)::look);
        findings.addAll(deployment);
        if (deployment.stream().anyMatch(finding -> finding.check().equals("connection"))) {
            return findings;
        }
        findings.addAll(tried("rights", new Rights(place)::look));
        findings.addAll(tried("collection", new LeaseCollection(place)::look));
        findings.addAll(tried("namespace", this::namespace));
        return findings;
    }

    private List<Finding> namespace() throws InterruptedException {
        List<Finding> findings = new ArrayList<>();
        try (LeaseInspector inspector = inspectors.get()) {
            findings.addAll(tried("leases", new Documents(inspector)::look));
            findings.addAll(tried("activity", new Activity(place, inspector, look)::look));
        }
        return findings;
    }

    private static List<Finding> tried(String check, Check looking) throws InterruptedException {
        try {
            return looking.look();
        } catch (CorruptDocumentException e) {
            return List.of(corruptClock(e));
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
                        "could not be looked at: " + Refusals.words(thrown),
                        "look with a user that has the right")
                : Finding.problem(
                        "connection",
                        "the servers cannot be asked: " + Refusals.words(thrown),
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
