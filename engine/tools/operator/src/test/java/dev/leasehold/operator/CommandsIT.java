package dev.leasehold.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Each command, against a real replica set. */
@WithReplicaSet
class CommandsIT {

    private TestDatabase database;
    private Service service;
    private Tool tool;

    @BeforeEach
    void start(TestDatabase fresh) {
        database = fresh;
        service = Service.on(database, "shop:1");
        tool = Tool.on(database);
    }

    @AfterEach
    void end() {
        service.close();
    }

    private static List<String> names(Tool.Result result) {
        List<String> names = new ArrayList<>();
        result.json().forEach(row -> names.add(row.path("name").asText()));
        return names;
    }

    @Test
    @DisplayName("list shows leases and holders, filtered and sorted, as text and as JSON")
    void list() throws InterruptedException {
        service.close();
        service = Service.quiet(database, "shop:1");
        service.holds(LeaseRequest.of("invoices").holder("a").comment("run 7").payload("{\n\u202e\"a\": 1}"));
        service.holds(LeaseRequest.of("reports").holder("b").term(Duration.ofSeconds(60)));
        service.holds(LeaseRequest.of("import").holder("c")).close();
        service.engine().admin().pin("reports", "ops");

        Tool.Result all = tool.run("list", "--json");
        assertThat(all.exitCode()).as(all.err()).isZero();
        assertThat(names(all)).containsExactly("import", "invoices", "reports");
        JsonNode invoices = all.json().get(1);
        assertThat(invoices.path("holder").asText()).isEqualTo("a");
        assertThat(invoices.path("status").asText()).isEqualTo("active");
        assertThat(invoices.path("token").asLong()).isEqualTo(1);
        assertThat(invoices.path("keptBy").asText()).isEqualTo("session");
        assertThat(invoices.path("comment").asText()).isEqualTo("run 7");
        assertThat(invoices.path("payload").asText()).isEqualTo("{\n\u202e\"a\": 1}");
        assertThat(tool.run("inspect", "invoices", "--look", "0s").out())
                .contains("payload   '{\\u000a\\u202e\"a\": 1}'");
        assertThat(invoices.path("writer").asText()).startsWith("shop:1#");
        assertThat(invoices.has("problem")).isFalse();

        assertThat(names(tool.run("list", "--json", "--held"))).containsExactly("invoices", "reports");
        assertThat(names(tool.run("list", "--json", "--pinned"))).containsExactly("reports");
        assertThat(names(tool.run("list", "--json", "i*"))).containsExactly("import", "invoices");
        assertThat(names(tool.run("list", "--json", "--status", "free"))).containsExactly("import");
        assertThat(names(tool.run("list", "--json", "--holder", "b"))).containsExactly("reports");
        assertThat(names(tool.run("list", "--json", "--writer", "shop*"))).hasSize(3);
        assertThat(names(tool.run("list", "--json", "--sort", "holder", "--reverse")))
                .as("what has no holder comes last all the same")
                .containsExactly("reports", "invoices", "import");
        assertThat(names(tool.run("list", "--json", "--sort", "token"))).hasSize(3);
        assertThat(names(tool.run("list", "--json", "--sort", "since")))
                .containsExactly("invoices", "reports", "import");
        assertThat(names(tool.run("list", "--json", "--sort", "expiry"))).endsWith("import");

        Tool.Result text = tool.run("list", "--wide");
        assertThat(text.out().lines().toList())
                .hasSize(4)
                .first()
                .asString()
                .startsWith("NAME      STATUS      HOLDER  TOKEN")
                .contains("WRITER");
        assertThat(text.out())
                .contains("reports   unverified  b       1")
                .contains("ops")
                .contains("run 7");
    }

    @Test
    @DisplayName("A lease whose engine gave no sign of life is called unverified, and active once it gave one")
    void whatWasNotVerifiedIsCalledSo() throws InterruptedException {
        service.close();
        service = Service.quiet(database, "shop:1");
        service.holds("invoices");

        Tool.Result once = tool.run("list");
        assertThat(once.out()).contains("invoices  unverified");
        assertThat(once.err()).contains("1 lease not verified").contains("--look");
        assertThat(tool.run("list", "--json").json().get(0).path("verified").asBoolean())
                .isFalse();
        assertThat(tool.run("inspect", "invoices", "--look", "0s").out()).contains("status    active, not verified");

        Tool.Result looked = tool.run("list", "--look", "60s");
        assertThat(looked.out()).contains("invoices  active");
        assertThat(looked.err()).isEmpty();
        assertThat(tool.run("inspect", "invoices", "--look", "60s").out())
                .contains("status    active: it is held, and its engine lives");
    }

    @Test
    @DisplayName("list says how many wait for a lease, and inspect which ones, in their order and for how long")
    void listsTheWaiters() throws InterruptedException {
        service.holds(LeaseRequest.of("invoices").holder("a"));
        service.holds(LeaseRequest.of("reports").holder("a"));
        try (Service other = Service.on(database, "shop:2");
                Service third = Service.on(database, "shop:3")) {
            other.waitsFor(LeaseRequest.of("invoices").holder("b").comment("run 8"));
            untilSoManyWait(1);
            third.waitsFor(LeaseRequest.of("invoices").holder("c").priority(5));
            untilSoManyWait(2);

            assertThat(tool.run("list").out())
                    .containsPattern("NAME.* UNTIL +WAITING  PINS")
                    .containsPattern("invoices .* 2 +-")
                    .containsPattern("reports .* - +-");
            assertThat(names(tool.run("list", "--json", "--waited-for"))).containsExactly("invoices");
            JsonNode waiters = tool.run("inspect", "invoices", "--json", "--look", "0s")
                    .json()
                    .at("/lease/waiters");
            assertThat(waiters).hasSize(2);
            JsonNode second = waiters.get(1);
            assertThat(waiters.get(0).path("holder").asText()).isEqualTo("c");
            assertThat(second.path("position").asInt()).isEqualTo(2);
            assertThat(second.path("instance").asText()).isEqualTo("shop:2");
            assertThat(second.path("writer").asText()).startsWith("shop:2#");
            assertThat(second.path("priority").asInt()).isZero();
            assertThat(second.path("comment").asText()).isEqualTo("run 8");
            assertThat(second.path("present").asBoolean()).isTrue();
            assertThat(Instant.parse(second.path("since").asText()))
                    .isBetween(Instant.now().minusSeconds(600), Instant.now());
            assertThat(tool.run("inspect", "invoices", "--look", "0s").out())
                    .containsPattern(
                            "waiting   1\\. c of shop:3, priority 5, for .*\n +2\\. b of shop:2, priority 0, for"
                                    + " .*: run 8");
        }
    }

    private void untilSoManyWait(int waiters) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> tool.run("inspect", "invoices", "--json", "--look", "0s")
                                .json()
                                .at("/lease/waiters")
                                .size()
                        == waiters);
    }

    @Test
    @DisplayName("unpin names the pins that remain")
    void unpinNamesThePinsThatRemain() throws InterruptedException {
        service.holds("invoices").close();
        service.engine().admin().pin("invoices", "ops");

        assertThat(tool.run("unpin", "invoices", "--by", "root").out())
                .contains("invoices is not pinned by 'root' now, but stays pinned by 'ops'");
    }

    @Test
    @DisplayName("An order for a corrupt lease, and a look at one, say that it is corrupt")
    void ordersForACorruptLease() throws InterruptedException {
        service.holds("invoices");
        Service.documents(database).updateOne(Filters.eq("_id", "billing#invoices"), Updates.set("token", "seven"));

        Tool.Result forced = tool.run("force-expire", "invoices", "--reason", "it hangs", "--yes");
        assertThat(forced.exitCode()).isEqualTo(10);
        assertThat(forced.err()).contains("is corrupt").doesNotContain("nothing to end");
        assertThat(tool.run("pin", "invoices").exitCode()).isEqualTo(10);
        assertThat(tool.run("inspect", "invoices").out())
                .contains("status    corrupt")
                .doesNotContain("pins")
                .doesNotContain("session");
    }

    @Test
    @DisplayName("inspect knows that an engine lives, since it saw its stamp move")
    void inspectSeesASignOfLife() throws InterruptedException {
        Lease lease = service.holds(
                LeaseRequest.of("invoices").holder("a").comment("run 7").gateStripes(2));

        Tool.Result json = tool.run("inspect", "invoices", "--json", "--look", "60s");
        assertThat(json.exitCode()).as(json.err()).isZero();
        assertThat(json.json().at("/lease/token").asLong()).isEqualTo(lease.token());
        assertThat(json.json().at("/lease/stripes").asInt()).isEqualTo(2);
        assertThat(json.json().at("/engine/sign").asText()).isEqualTo("alive");
        assertThat(json.json().at("/engine/sessionMillis").asLong()).isEqualTo(30_000);
        assertThat(json.json().at("/session").asText()).contains("alive: seen moving");

        Tool.Result text = tool.run("inspect", "invoices");
        assertThat(text.out())
                .startsWith("lease     invoices\n")
                .contains("holder    a")
                .contains("token     1")
                .contains("kept by   the session of its engine, 30 s long")
                .contains("alive: seen moving")
                .contains("on this machine's clock at the latest")
                .contains("comment   run 7")
                .contains("pins      none")
                .contains("on its 2 stripes");
    }

    @Test
    @DisplayName(
            "inspect says of an engine that was not seen to move how long it was looked at, and from when others may"
                    + " act")
    void inspectOfASilentEngine() throws InterruptedException {
        service.close();
        service = Service.quiet(database, "shop:1");
        service.holds("invoices");

        Tool.Result once = tool.run("inspect", "invoices", "--look", "0s");

        assertThat(once.out()).contains("not seen to move for").contains("others may end its session in");
    }

    @Test
    void inspectOfWhatIsNotHeld() throws InterruptedException {
        assertThat(tool.run("inspect", "nothing").exitCode()).isEqualTo(3);
        service.holds("invoices").close();

        Tool.Result vacant = tool.run("inspect", "invoices");

        assertThat(vacant.exitCode()).isZero();
        assertThat(vacant.out()).contains("free: it is not held");
    }

    @Test
    @DisplayName("A lease that its last holder had for at least a time is shown with the end of that time")
    void inspectOfALeaseThatIsKeptFree() throws InterruptedException {
        service.holds(LeaseRequest.of("invoices").holder("h").atLeast(Duration.ofMinutes(10)))
                .close();
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() ->
                        names(tool.run("list", "--json", "--status", "free")).contains("invoices"));

        Tool.Result kept = tool.run("inspect", "invoices");

        assertThat(kept.out()).contains("cannot be taken yet").contains("until").doesNotContain("unless renewed");
        assertThat(tool.run("force-expire", "invoices", "--reason", "x", "--token", "2", "--yes")
                        .exitCode())
                .as("another token")
                .isEqualTo(4);
        Tool.Result ended = tool.run("force-expire", "invoices", "--reason", "x", "--yes");
        assertThat(ended.exitCode()).as(ended.err()).isZero();
        assertThat(ended.out()).contains("invoices is not kept free any more, and may be acquired");
        assertThat(service.engine().tryAcquire("invoices").asOptional()).isPresent();
    }

    @Test
    void inspectOfATerm() throws InterruptedException {
        service.engine().tenures().claim("invoices", "h", Duration.ofSeconds(60), null);

        Tool.Result term = tool.run("inspect", "invoices");

        assertThat(term.out())
                .contains("kept by   a term of its own")
                .contains("it has a term of its own and needs no session");
    }

    @Test
    void inspectOfACorruptDocument() throws InterruptedException {
        service.holds("invoices").close();
        Service.documents(database).updateOne(Filters.eq("_id", "billing#invoices"), Updates.set("token", "seven"));

        Tool.Result corrupt = tool.run("inspect", "invoices");

        assertThat(corrupt.exitCode()).isEqualTo(10);
        assertThat(corrupt.out()).contains("corrupt").contains("field 'token'");
        assertThat(names(tool.run("list", "--json", "--status", "corrupt"))).containsExactly("invoices");
    }

    @Test
    @DisplayName("writers shows sessions, signs of life, clocks and what each engine holds")
    void writers() throws InterruptedException {
        service.holds("invoices");
        service.holds("reports");

        Tool.Result json = tool.run("writers", "--json", "--look", "60s");

        assertThat(json.json()).hasSize(1);
        JsonNode writer = json.json().get(0);
        assertThat(writer.path("instance").asText()).isEqualTo("shop:1");
        assertThat(writer.path("sign").asText()).isEqualTo("alive");
        assertThat(writer.path("holds").toString()).isEqualTo("[\"invoices\",\"reports\"]");
        assertThat(writer.path("behindMillisMax").isNumber()).isTrue();
        assertThat(tool.run("writers").out())
                .contains("SIGN OF LIFE")
                .contains("shop:1#")
                .contains("No clocks were compared");
    }

    @Test
    @DisplayName("watch prints what happens, a line of JSON for each event")
    void watch() throws Exception {
        service.holds("before");
        StringCollector out = new StringCollector();
        CompletableFuture<Integer> watching = CompletableFuture.supplyAsync(() ->
                Main.execute(tool.context(out.writer(), out.writer()), "watch", "--lease", "invoices", "--count", "3"));
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> out.text().contains("Watching namespace billing"));

        service.holds(LeaseRequest.of("other").holder("x"));
        service.holds(LeaseRequest.of("invoices").holder("a").comment("run 7"));
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> out.text().contains("invoices was acquired by a under token 1: run 7"));
        service.engine().admin().pin("invoices", "ops");
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> out.text().contains("invoices is pinned by ops"));
        service.engine().admin().forceExpire("invoices", "it hangs");

        assertThat(watching.get(60, TimeUnit.SECONDS)).isZero();
        assertThat(out.text())
                .contains("invoices was ended by an operator: it hangs")
                .doesNotContain("other");
    }

    @Test
    void watchEndsInTime() {
        assertThat(tool.run("watch", "--for", "100ms", "--json").exitCode()).isZero();
    }

    @Test
    @DisplayName("watch ends, and list fails, once their output cannot be written, as behind head")
    void lostOutputIsNoSuccess() throws Exception {
        service.holds("invoices");
        StringCollector err = new StringCollector();
        CommandContext context = tool.context(new PrintWriter(new ClosedPipe()), err.writer());

        CompletableFuture<Integer> watching = CompletableFuture.supplyAsync(() -> Main.execute(context, "watch"));

        assertThat(watching.get(60, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(Main.execute(context, "list", "--json")).isEqualTo(1);
        assertThat(err.text()).contains("the output could not be written");
    }

    @Test
    @DisplayName("A connection string may end with a line break, as what comes from a file does")
    void aLineBreakBehindTheConnectionStringIsNoPartOfIt() throws InterruptedException {
        service.holds("invoices");
        String place = database.uri().replaceAll("\\?.*", "");

        Tool.Result listed = Tool.alone()
                .with("LEASEHOLD_URI", place + "\n")
                .with("LEASEHOLD_NAMESPACE", Tool.NAMESPACE)
                .run("list");

        assertThat(listed.out()).as(listed.err()).contains("invoices");
    }

    @Test
    void aStarStandsForEachCharacterThatANameMayHave() throws InterruptedException {
        service.holds("a\u2028b");

        assertThat(names(tool.run("list", "--json", "a*b"))).containsExactly("a\u2028b");
        assertThat(names(tool.run("list", "--json", "a*"))).containsExactly("a\u2028b");
    }

    @Test
    @DisplayName("pin and unpin keep a lease from being taken, and leave no engine behind")
    void pinAndUnpin() throws InterruptedException {
        service.holds("invoices").close();

        Tool.Result pinned = tool.run("pin", "invoices", "--by", "ops");

        assertThat(pinned.exitCode()).as(pinned.err()).isZero();
        assertThat(pinned.out()).contains("invoices is pinned by 'ops' now");
        assertThat(service.engine().tryAcquire("invoices").asOptional().isPresent())
                .isFalse();
        assertThat(tool.run("unpin", "invoices", "--by", "ops", "--json")
                        .json()
                        .path("done")
                        .asBoolean())
                .isTrue();
        assertThat(service.engine().tryAcquire("invoices").asOptional().isPresent())
                .isTrue();
        assertThat(clockDocument().get("writers", Document.class).keySet())
                .as("engines in the clock document")
                .allMatch(writer -> writer.startsWith("shop:1#"));
        Tool.Result early = tool.run("pin", "nothing");
        assertThat(early.exitCode()).isEqualTo(3);
        assertThat(early.err()).contains("only a lease that was held before can be pinned");
        assertThat(tool.run("unpin", "nothing").exitCode()).isEqualTo(3);
    }

    private Document clockDocument() {
        return Service.documents(database)
                .find(Filters.eq("_id", Tool.NAMESPACE))
                .first();
    }

    @Test
    @DisplayName("force-expire asks back at a terminal, and does nothing without a yes")
    void forceExpireAsksBack() throws InterruptedException {
        service.holds("invoices");
        List<String> asked = new ArrayList<>();

        Tool.Result no = Tool.on(database)
                .answering(question -> {
                    asked.add(question);
                    return "y";
                })
                .run("force-expire", "invoices", "--reason", "it hangs");

        assertThat(no.exitCode()).isEqualTo(5);
        assertThat(asked)
                .singleElement()
                .asString()
                .contains("held by 'h' under token 1")
                .contains("Type yes");
        assertThat(tool.run("force-expire", "invoices", "--reason", "it hangs").exitCode())
                .as("no person to ask")
                .isEqualTo(2);
        assertThat(names(tool.run("list", "--json", "--held"))).containsExactly("invoices");

        Tool.Result yes =
                Tool.on(database).answering(question -> "yes").run("force-expire", "invoices", "--reason", "it hangs");

        assertThat(yes.exitCode()).as(yes.err()).isZero();
        assertThat(yes.out()).contains("the tenure of 'h' under token 1 is over");
        assertThat(tool.run("inspect", "invoices", "--json")
                        .json()
                        .at("/lease/comment")
                        .asText())
                .isEqualTo("it hangs");
    }

    @Test
    @DisplayName("force-expire does not end another tenure than the one that was confirmed")
    void forceExpireEndsTheConfirmedTenureAlone() throws InterruptedException {
        Lease first = service.holds("invoices");

        Tool.Result changed = Tool.on(database)
                .answering(question -> {
                    handOver(first);
                    return "yes";
                })
                .run("force-expire", "invoices", "--reason", "it hangs", "--json");

        assertThat(changed.exitCode()).isEqualTo(4);
        assertThat(changed.json().path("message").asText()).contains("it is not held under that tenure");
        assertThat(names(tool.run("list", "--json", "--held"))).containsExactly("invoices");
        assertThat(tool.run("force-expire", "invoices", "--reason", "x", "--token", "1", "--yes")
                        .exitCode())
                .isEqualTo(4);
        assertThat(tool.run("force-expire", "invoices", "--reason", "x", "--token", "2", "--yes")
                        .exitCode())
                .isZero();
        assertThat(tool.run("force-expire", "invoices", "--reason", "x", "--yes")
                        .exitCode())
                .as("no process holds it any more")
                .isEqualTo(4);
        assertThat(tool.run("force-expire", "nothing", "--reason", "x", "--yes").exitCode())
                .isEqualTo(3);
    }

    @Test
    @DisplayName("force-expire of a lease that is kept free ends no tenure that has begun while it asked")
    void forceExpireOfAFreeLeaseEndsNoTenureThatBeganMeanwhile() throws InterruptedException {
        service.holds(LeaseRequest.of("invoices").holder("h").atLeast(Duration.ofMinutes(10)))
                .close();

        Tool.Result changed = Tool.on(database)
                .answering(question -> {
                    acquireByForce();
                    return "yes";
                })
                .run("force-expire", "invoices", "--reason", "it hangs", "--json");

        assertThat(changed.exitCode()).isEqualTo(4);
        assertThat(changed.json().path("message").asText())
                .contains("held by 'h2'")
                .contains("Nothing was done");
        assertThat(names(tool.run("list", "--json", "--held"))).containsExactly("invoices");
    }

    private void acquireByForce() {
        try {
            service.engine().admin().forceExpire("invoices", "x");
            service.holds(LeaseRequest.of("invoices").holder("h2"));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void handOver(Lease first) {
        try {
            first.close();
            service.holds(LeaseRequest.of("invoices").holder("h2"));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @DisplayName("housekeeping removes vacant leases in a later round")
    void housekeeping() throws InterruptedException {
        service.holds("invoices").close();

        Tool.Result done =
                tool.run("housekeeping", "--retention", "1ms", "--rounds", "2", "--pause", "200ms", "--json");

        assertThat(done.exitCode()).as(done.err()).isZero();
        assertThat(done.json().path("leasesRemoved").asInt()).isEqualTo(1);
        assertThat(names(tool.run("list", "--json"))).isEmpty();
    }

    @Test
    @DisplayName("housekeeping removes records of occurrences only when told how old they have to be")
    void housekeepingKeepsRecordsOfOccurrences() throws InterruptedException {
        service.engine().runOnce("migrations", "v12", (lease, session) -> 0);
        Document record = new Document("type", "occurrence");
        Instant longAgo = Instant.now().minus(Duration.ofDays(1_000));
        Service.documents(database).updateOne(record, new Document("$set", new Document("done", Date.from(longAgo))));

        Tool.Result kept = tool.run("housekeeping", "--rounds", "1", "--json");
        assertThat(kept.json().path("occurrencesRemoved").asInt(-1)).isZero();
        assertThat(service.engine().findOccurrence("migrations", "v12")).isPresent();

        Tool.Result removed = tool.run("housekeeping", "--rounds", "1", "--occurrence-retention", "900d", "--json");
        assertThat(removed.json().path("occurrencesRemoved").asInt()).isEqualTo(1);
    }

    @Test
    @DisplayName("A namespace in partitions is found out, for orders too")
    void partitions() throws InterruptedException {
        try (Service divided = new Service(database.newClient(), database, "shop:2", 1)) {
            divided.holds("one");
        }
        Service.documents(database).deleteMany(new Document());
        try (Service divided = new Service(database.newClient(), database, "shop:3", 3)) {
            for (String name : List.of("a", "b", "c", "d", "e")) {
                divided.holds(name);
            }

            assertThat(names(tool.run("list", "--json"))).containsExactly("a", "b", "c", "d", "e");
            assertThat(tool.run("pin", "d", "--by", "ops").exitCode()).isZero();
            assertThat(names(tool.run("list", "--json", "--pinned"))).containsExactly("d");
            assertThat(tool.run("inspect", "d", "--look", "0s").out())
                    .containsPattern("^lease     d in partition billing(~[12])?\\n");
        }
    }

    @Test
    void aNamespaceThatDoesNotExistIsSaidToBeMissing() {
        Tool.Result missing = tool.with("LEASEHOLD_NAMESPACE", "nowhere").run("list", "--json");

        assertThat(missing.exitCode()).isEqualTo(3);
        assertThat(missing.jsonError().path("error").asText())
                .contains("there is no namespace 'nowhere' in this collection");
        assertThat(missing.jsonError().path("exitCode").asInt()).isEqualTo(3);
        assertThat(tool.run("pin", "name").exitCode()).isEqualTo(3);
        assertThat(Service.documents(database)
                        .find(Filters.eq("_id", "nowhere"))
                        .first())
                .as("nothing is made by looking")
                .isNull();
    }
}
