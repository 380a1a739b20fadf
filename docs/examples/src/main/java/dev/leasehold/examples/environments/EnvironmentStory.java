package dev.leasehold.examples.environments;

import static dev.leasehold.examples.story.StoryFailedException.unless;

import dev.leasehold.examples.story.Narrator;
import dev.leasehold.replicaset.ReplicaSet;
import dev.leasehold.replicaset.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import org.bson.Document;

/**
 * Three instances of a service share an environment, each a process of its own. One is frozen between its check and its record, and comes
 * back late. Ends by itself, and with an exception if anything happens otherwise than told.
 */
public final class EnvironmentStory {

    private static final Duration SHORT = Duration.ofSeconds(3);
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final long PAUSE_MILLIS = 250;

    private final InstanceProcess a;
    private final InstanceProcess b;
    private final InstanceProcess c;
    private final TestDatabase database;
    private final Narrator narrator;

    private EnvironmentStory(
            InstanceProcess a, InstanceProcess b, InstanceProcess c, TestDatabase database, Narrator narrator) {
        this.a = a;
        this.b = b;
        this.c = c;
        this.database = database;
        this.narrator = narrator;
    }

    /**
     * Tells the story on a replica set of its own.
     *
     * @param arguments not looked at
     * @throws IOException if a process cannot be started
     * @throws InterruptedException if the thread was interrupted
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        System.out.println("Looking for a MongoDB to run on ...");
        try (ReplicaSet set = ReplicaSet.start(1);
                TestDatabase database = set.newDatabase();
                InstanceProcess a = InstanceProcess.start("A", database.uri(), database.name(), SHORT);
                InstanceProcess b = InstanceProcess.start("B", database.uri(), database.name(), LONG);
                InstanceProcess c = InstanceProcess.start("C", database.uri(), database.name(), LONG)) {
            new EnvironmentStory(a, b, c, database, new Narrator(System.out)).tell();
        }
    }

    private void tell() throws IOException, InterruptedException {
        narrator.chapter("Three processes share the environment 'staging'. A takes leases of " + SHORT.toSeconds()
                + " s, B and C of " + LONG.toMinutes() + " minutes. Each line starts with the time (UTC).");
        wedge();
        takeOver();
        comeBack();
        askInVain();
        closeAndAskAgain();
    }

    private void wedge() throws IOException, InterruptedException {
        narrator.chapter("1. A takes the lease, and checks that it is safe to deploy. Then it is frozen (SIGSTOP).");
        expect(a, "acquire staging actuation", "granted FREE");
        expect(a, "begin", "safe beside []");
        a.freeze();
        narrator.says(a, "is frozen before it could record that it deploys");
    }

    private void takeOver() throws IOException, InterruptedException {
        narrator.chapter("2. B wants to verify, and asks until it is told yes.");
        String answer = b.ask("acquire staging verification");
        if (answer.startsWith("refused")) {
            narrator.says(b, answer);
        }
        while (answer.startsWith("refused")) {
            Thread.sleep(PAUSE_MILLIS);
            answer = b.ask("acquire staging verification");
        }
        narrator.says(b, answer + ": the lease was never closed, and its time is certainly over");
        unless(answer.equals("granted EXPIRED"), answer);
        expect(b, "begin", "safe beside []");
        expect(b, "go on", "recorded");
    }

    private void comeBack() throws IOException, InterruptedException {
        narrator.chapter("3. A wakes up (SIGCONT) where it stopped: it has checked, and goes on to record.");
        a.tell("go on"); // read when it wakes up
        a.wake();
        String answer = a.answer();
        narrator.says(a, answer);
        unless(answer.startsWith("too late"), answer);
        expect(a, "held", "held false");
        expect(a, "close", "closed");
    }

    private void askInVain() throws IOException, InterruptedException {
        narrator.chapter("4. A has returned a lease that is B's by now. Is it free? C asks.");
        expect(c, "acquire staging actuation", "refused");
        expect(b, "held", "held true");
    }

    private void closeAndAskAgain() throws IOException, InterruptedException {
        narrator.chapter("5. B closes the lease: it has recorded what it does. C has the lease at once, and checks.");
        expect(b, "close", "closed");
        expect(c, "acquire staging actuation", "granted FREE");
        expect(c, "begin", "unsafe beside [VERIFICATION]");
        expect(c, "go on", "not recorded");
        expect(c, "close", "closed");
        narrator.chapter("What is recorded of the environment, which is B's alone:");
        long recorded = 0;
        for (Document activity : database.database()
                .getCollection(EnvironmentInstance.ACTIVITIES)
                .find()) {
            recorded++;
            narrator.show(activity);
        }
        unless(recorded == 1, recorded + " activities are recorded");
    }

    private void expect(InstanceProcess instance, String command, String answerStart)
            throws IOException, InterruptedException {
        String answer = instance.ask(command);
        narrator.says(instance, answer);
        unless(answer.startsWith(answerStart), instance.name() + ", told to " + command + ", has said: " + answer);
    }
}
