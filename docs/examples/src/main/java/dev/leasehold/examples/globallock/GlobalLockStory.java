package dev.leasehold.examples.globallock;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Projections.excludeId;
import static dev.leasehold.examples.story.StoryFailedException.unless;

import com.mongodb.client.MongoCollection;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseResult;
import dev.leasehold.engine.Refusal;
import dev.leasehold.examples.story.Narrator;
import dev.leasehold.replicaset.ReplicaSet;
import dev.leasehold.replicaset.TestDatabase;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.bson.Document;

/**
 * One worker takes a lock for some seconds and lets them run out; another waits until they are over. Ends by itself, and with an exception
 * if anything happens otherwise than told.
 */
public final class GlobalLockStory {

    private static final int EARLIER_TENURES = 12;
    private static final Duration DURATION = Duration.ofSeconds(3);
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration FAST = Duration.ofMinutes(4);
    private static final Duration SHORTER = Duration.ofMinutes(3);
    private static final String FILE = "report.txt";

    private final Worker first;
    private final Worker second;
    private final MongoCollection<Document> objects;
    private final FileStore files;
    private final Narrator narrator;

    private GlobalLockStory(
            Worker first, Worker second, MongoCollection<Document> objects, FileStore files, Narrator narrator) {
        this.first = first;
        this.second = second;
        this.objects = objects;
        this.files = files;
        this.narrator = narrator;
    }

    /**
     * Tells the story on a replica set of its own.
     *
     * @param arguments not looked at
     * @throws IOException if no file can be written
     * @throws InterruptedException if the thread was interrupted
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        System.out.println("Looking for a MongoDB to run on ...");
        Path folder = Files.createTempDirectory("global-lock");
        try (ReplicaSet set = ReplicaSet.start(1)) {
            tell(set, folder, System.out);
        } finally {
            delete(folder);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    private static void tell(ReplicaSet set, Path folder, PrintStream out) throws IOException, InterruptedException {
        try (TestDatabase database = set.newDatabase();
                Worker first = new Worker("first", database);
                Worker second = new Worker("second", database)) {
            new GlobalLockStory(
                            first,
                            second,
                            database.database().getCollection("objects"),
                            new FileStore(folder),
                            new Narrator(out))
                    .tell();
        }
    }

    private void tell() throws IOException, InterruptedException {
        Tenure before = holdAndRenew();
        Tenure after = waitUntilItIsUp(before);
        comeLate(before, after);
        writeTheObject(before, after);
        compareTimesOfDay();
    }

    private Tenure holdAndRenew() throws IOException, InterruptedException {
        narrator.chapter("1. Two workers share the lock '" + Worker.LOCK + "'. It was taken and released "
                + EARLIER_TENURES + " times before.");
        long latestToken = 0;
        for (int i = 0; i < EARLIER_TENURES; i++) {
            latestToken = first.lock().tryAcquire(LONG).orElseThrow().token();
            first.lock().release();
        }
        Tenure tenure = first.lock().tryAcquire(DURATION).orElseThrow();
        unless(tenure.token() == latestToken + 1, "token " + tenure.token() + " after " + latestToken);
        narrator.says(first, "has the lock for " + DURATION.toSeconds() + " s: token " + tenure.token());
        unless(files.write(FILE, "written by first", tenure.token()), "the file store refused the first write");
        narrator.says(first, "writes " + FILE + " under token " + tenure.token());
        Tenure renewed = first.lock().tryAcquire(DURATION).orElseThrow();
        unless(renewed.equals(tenure), "renewed under " + renewed);
        narrator.says(first, "asks again, which renews: token " + renewed.token());
        return tenure;
    }

    private Tenure waitUntilItIsUp(Tenure before) throws InterruptedException {
        narrator.chapter("2. first lets the time run out. second waits for that.");
        LeaseResult early = second.lock().tryAcquire(LONG);
        if (early instanceof Refusal refusal) {
            narrator.says(second, refusal.message());
        }
        long askedNanos = System.nanoTime();
        Tenure tenure = second.lock().acquire(LONG, LONG).orElseThrow();
        Duration took = Duration.ofNanos(System.nanoTime() - askedNanos);
        unless(tenure.token() == before.token() + 1, "token " + tenure.token() + " after " + before.token());
        narrator.says(
                second, "has the lock, " + Narrator.seconds(took) + " after it asked again: token " + tenure.token());
        return tenure;
    }

    private void comeLate(Tenure before, Tenure after) throws IOException, InterruptedException {
        narrator.chapter("3. first is late. A token tells whether it is still that of the lock.");
        sayWhetherValid(before, false);
        sayWhetherValid(after, true);
        unless(files.write(FILE, "written by second", after.token()), "the file store refused the newer token");
        narrator.says(second, "writes " + FILE + " under token " + after.token());
        unless(!files.write(FILE, "written too late", before.token()), "the file store took the older token");
        narrator.says(first, "writes " + FILE + " under token " + before.token() + ": the file store refuses it");
        unless(files.read(FILE).equals("written by second"), files.read(FILE));
    }

    private void sayWhetherValid(Tenure tenure, boolean expected) throws InterruptedException {
        boolean valid = first.lock().isValid(tenure.token());
        unless(valid == expected, "token " + tenure.token() + " is valid: " + valid);
        narrator.says(first, "token " + tenure.token() + " is " + (valid ? "valid" : "not valid any more"));
    }

    private void writeTheObject(Tenure before, Tenure after) {
        narrator.chapter("4. The simple variant: the object itself has the id of the lease, which is the token here.");
        objects.insertOne(new Document("_id", "fenced"));
        FencedObject object = new FencedObject(objects, "fenced");
        Instant until = Instant.now().plus(LONG);
        unless(object.write(after, until, "by second"), "the newer token was refused");
        narrator.says(second, "writes the object under token " + after.token());
        unless(!object.write(before, until, "too late"), "the older token was taken");
        narrator.says(first, "writes the object under token " + before.token() + ": refused");
        objects.find(eq("_id", "fenced")).projection(excludeId()).forEach(narrator::show);
    }

    private void compareTimesOfDay() {
        narrator.chapter("5. Why 'leased until' is for people only: first takes an object for " + SHORTER.toMinutes()
                + " minutes, and the clock of second is " + FAST.toMinutes() + " minutes fast.");
        objects.insertOne(new Document("_id", "naive"));
        Clock clock = Clock.systemUTC();
        TimeOfDayLock right = new TimeOfDayLock(objects, clock);
        TimeOfDayLock fast = new TimeOfDayLock(objects, Clock.offset(clock, FAST));
        unless(right.tryAcquire("naive", "first", SHORTER), "an object that no worker had was refused");
        narrator.says(first, "has the object");
        unless(fast.tryAcquire("naive", "second", LONG), "a clock that is fast made no difference");
        narrator.says(second, "compares times of day, and takes it at once: both have it");
    }
}
