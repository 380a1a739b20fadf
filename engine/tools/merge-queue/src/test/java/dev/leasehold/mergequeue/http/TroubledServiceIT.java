package dev.leasehold.mergequeue.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandSucceededEvent;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.mergequeue.http.Caller.Reply;
import dev.leasehold.replicaset.ActiveFailPoint;
import dev.leasehold.replicaset.FailPoint;
import dev.leasehold.replicaset.ReplicaSet;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithOwnReplicaSet;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** What a replica does when its database is away, or holds what it did not write. */
class TroubledServiceIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String PROVIDER = "acme/shop/main";
    private static final String YAML = """
            providers:
              - {owner: acme, repo: shop, base-ref: main, expected-requests: 1}
              - {owner: acme, repo: other, base-ref: main, expected-requests: 1}
              - {owner: acme, repo: many, base-ref: "**", expected-requests: 1}
            """;

    @Test
    @WithOwnReplicaSet
    @DisplayName(
            "While the database is frozen, pages and reads show the last sight and its age with 503, and health answers")
    void frozenDatabaseIsSaidOnThePage(ReplicaSet set, TestDatabase database) throws Exception {
        try (RunningService service = RunningService.start(database, YAML)) {
            Caller caller = service.callerOnce();
            acquired(service, PROVIDER, "sha");
            assertThat(caller.get("/").status()).isEqualTo(200);
            caller.acquire(PROVIDER, "later", 1);
            assertThat(caller.get("/" + PROVIDER).status()).isEqualTo(200);

            set.nodes().forEach(node -> node.pause());
            try {
                Reply list = caller.get("/");
                assertThat(list.status()).isEqualTo(503);
                assertThat(list.response().headers().firstValue("Retry-After")).isPresent();
                assertThat(list.body().path("trouble").asText()).contains("database");
                assertThat(list.body().path("age_seconds").asLong()).isGreaterThanOrEqualTo(3);
                assertThat(provider(list.body(), PROVIDER)
                                .path("holder")
                                .path("head_sha")
                                .asText())
                        .isEqualTo("sha");

                Reply page = caller.send("GET", "/", new byte[0], "Accept", "text/html");
                assertThat(page.status()).isEqualTo(503);
                assertThat(page.response().body()).contains("As last seen", "acme/shop/main", "branch-sha");

                Reply one = caller.get("/" + PROVIDER);
                assertThat(one.status()).isEqualTo(503);
                assertThat(one.error()).isEqualTo("unavailable");
                assertThat(one.body().path("age_seconds").asLong()).isPositive();
                assertThat(one.body()
                                .path("last_seen")
                                .path("holder")
                                .path("head_sha")
                                .asText())
                        .isEqualTo("sha");
                assertThat(one.body().path("last_seen").path("waiting"))
                        .as("seen after the list, when it was asked for alone")
                        .hasSize(1);

                Reply poll = caller.acquire(PROVIDER, "sha", 1);
                assertThat(poll.status()).isEqualTo(503);
                assertThat(poll.body().path("repeat").asText()).isEqualTo("yes");
                assertThat(caller.get("/health/live").status()).isEqualTo(200);
                assertThat(caller.get("/metrics").response().body().lines())
                        .filteredOn(line -> line.startsWith("http_server_requests_seconds_count")
                                && line.contains("status=\"503\""))
                        .anyMatch(line -> line.contains("{error=\"unavailable\",method=\"GET\",route=\"/\","))
                        .noneMatch(line -> line.contains("error=\"none\""));
            } finally {
                set.nodes().forEach(node -> node.resume());
            }
            acquired(service, PROVIDER, "sha");
            assertThat(caller.get("/").status()).isEqualTo(200);
        }
    }

    @Test
    @WithReplicaSet
    @DisplayName(
            "A damaged document harms its provider alone, is said on the page, and is replaced when an operator clears the queue")
    void damagedDocumentHarmsItsProviderAlone(TestDatabase database) throws Exception {
        try (RunningService service = RunningService.start(database, YAML)) {
            Caller caller = service.caller();
            long token = acquired(service, PROVIDER, "sha").token();
            acquired(service, "acme/other/main", "sha");
            providers(database)
                    .updateOne(
                            Filters.eq("_id", PROVIDER),
                            Updates.combine(Updates.set("clockNanos", "long ago"), Updates.inc("version", 1L)));
            providers(database).insertOne(new BsonDocument("_id", new BsonInt64(7)));
            providers(database).insertOne(new BsonDocument("_id", new BsonString("no provider")));

            Reply list = caller.get("/");
            assertThat(list.status()).isEqualTo(200);
            assertThat(provider(list.body(), PROVIDER).path("problem").asText()).contains("cannot be read");
            assertThat(provider(list.body(), "acme/other/main").path("problem").isNull())
                    .isTrue();
            assertThat(caller.get("/" + PROVIDER).body().path("problem").asText())
                    .contains("cannot be read");
            await().atMost(LIMIT).untilAsserted(() -> {
                Reply poll = caller.acquire(PROVIDER, "sha", 1);
                assertThat(poll.status()).isEqualTo(503);
                assertThat(poll.error()).isEqualTo("damaged");
                assertThat(poll.body().path("repeat").asText()).isEqualTo("no");
            });
            assertThat(caller.acquire("acme/other/main", "sha", 1).requestStatus())
                    .isEqualTo("acquired");

            assertThat(caller.send("GET", "/", new byte[0], "Accept", "text/html")
                            .response()
                            .body())
                    .as("the button that clears it")
                    .contains("data-url=\"/" + PROVIDER + "\"");
            assertThat(caller.delete("/" + PROVIDER).status()).isEqualTo(200);

            assertThat(caller.acquire(PROVIDER, "next", 1).token()).isGreaterThan(token);
        }
    }

    @Test
    @WithReplicaSet
    @DisplayName(
            "A list reads again only the documents that were written since the last one, and shows them as a first list does")
    void aListReadsWhatWasWrittenSince(TestDatabase database) throws Exception {
        // As texts, with the version of the last write: replicas write on meanwhile, so nothing but a repetition is
        // wrong.
        List<String> read = new CopyOnWriteArrayList<>();
        CommandListener counter = new CommandListener() {
            @Override
            public void commandSucceeded(CommandSucceededEvent event) {
                BsonDocument cursor = event.getResponse().getDocument("cursor", new BsonDocument());
                if (event.getCommandName().equals("find")
                        && cursor.getString("ns", new BsonString("")).getValue().endsWith(".providers")) {
                    // A look for live queues reads their ids alone.
                    cursor.getArray("firstBatch").stream()
                            .filter(found -> found.asDocument().size() > 1)
                            .forEach(found -> read.add(found.asDocument().toJson()));
                }
            }
        };
        MongoClient client = database.newClient(settings -> settings.addCommandListener(counter));
        String other = "acme/other/main";
        try (RunningService service = RunningService.start(database, YAML);
                RunningService reader = RunningService.start(client, database, YAML)) {
            acquired(service, PROVIDER, "sha");
            acquired(service, other, "sha");
            assertThat(reader.caller().get("/").status()).isEqualTo(200);

            assertThat(read)
                    .anyMatch(document -> document.contains(PROVIDER))
                    .anyMatch(document -> document.contains(other));
            JsonNode again = reader.caller().get("/").body();
            assertThat(provider(again, PROVIDER).path("holder").path("head_sha").asText())
                    .isEqualTo("sha");

            providers(database).updateOne(Filters.eq("_id", PROVIDER), Updates.unset("clockNanos"));
            assertThat(provider(reader.caller().get("/").body(), PROVIDER)
                            .path("problem")
                            .asText())
                    .contains("cannot be read");
            providers(database).deleteOne(Filters.eq("_id", other));
            JsonNode last = reader.caller().get("/").body();
            assertThat(provider(last, other).path("holder").isNull()).isTrue();
            assertThat(read).doesNotHaveDuplicates();
            try (RunningService fresh = RunningService.start(database, YAML)) {
                assertThat(last).isEqualTo(fresh.caller().get("/").body());
            }
        }
    }

    @Test
    @WithReplicaSet
    @DisplayName("Tokens go on growing when the document is deleted or an older one is put back, served or not")
    void tokensNeverGoBack(TestDatabase database) throws Exception {
        long token;
        BsonDocument older;
        try (RunningService service = RunningService.start(database, YAML)) {
            token = acquired(service, PROVIDER, "a").token();
            older = providers(database).find(Filters.eq("_id", PROVIDER)).first();
            service.caller().release(PROVIDER, "a", "success", token);
            token = grown(service, "b", token);
            service.caller().release(PROVIDER, "b", "success", token);

            providers(database).deleteOne(Filters.eq("_id", PROVIDER));
            token = grown(service, "c", token);
            service.caller().release(PROVIDER, "c", "success", token);

            providers(database).replaceOne(Filters.eq("_id", PROVIDER), older);
            service.caller().release(PROVIDER, "a", "success", 1);
            token = grown(service, "d", token);
            service.caller().release(PROVIDER, "d", "success", token);
        }
        providers(database).deleteOne(Filters.eq("_id", PROVIDER));
        try (RunningService service = RunningService.start(database, YAML)) {
            token = grown(service, "e", token);
        }
        providers(database).replaceOne(Filters.eq("_id", PROVIDER), older);
        try (RunningService service = RunningService.start(database, YAML)) {
            Reply released = acquired(service, PROVIDER, "a");
            assertThat(released.token()).isEqualTo(1); // as it was restored
            service.caller().release(PROVIDER, "a", "success", 1);
            grown(service, "f", token);
        }
    }

    @Test
    @WithReplicaSet
    @DisplayName(
            "Tokens go on growing when the leases are made anew, and theirs begin with the time of the database again")
    void tokensGrowWhenTheLeasesAreMadeAnew(TestDatabase database) throws Exception {
        long token;
        try (RunningService service = RunningService.start(database, YAML)) {
            token = acquired(service, PROVIDER, "a").token();
        }
        for (String sha : List.of("b", "c")) {
            providers(database).deleteOne(Filters.eq("_id", PROVIDER));
            database.database().getCollection("leases").drop();
            // As if the tenures before had been a year ago.
            database.database()
                    .getCollection("settings")
                    .updateOne(
                            Filters.eq("_id", "firstTenure"),
                            Updates.inc("token", -Duration.ofDays(365).toNanos() / 1_000));
            try (RunningService service = RunningService.start(database, YAML)) {
                token = grown(service, sha, token);
            }
        }
    }

    private static long grown(RunningService service, String sha, long before) {
        long token = acquired(service, PROVIDER, sha).token();
        assertThat(token).isGreaterThan(before);
        return token;
    }

    @Test
    @WithReplicaSet
    @DisplayName(
            "A branch of a pattern that no run asks for is forgotten, and served again when one does; names are kept")
    void idleBranchesAreForgotten(TestDatabase database) throws Exception {
        try (RunningService service = RunningService.start(database, YAML)) {
            Caller caller = service.caller();
            long token = acquired(service, "acme/many/feature/1", "sha").token();
            acquired(service, "acme/many/feature/2", "sha"); // holds on
            caller.release("acme/many/feature/1", "sha", "success", token);
            acquired(service, PROVIDER, "sha");
            caller.release(PROVIDER, "sha", "success", 1);
            service.pass(Duration.ofMinutes(11));

            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(
                                    servedBy(caller, "acme/many/feature/1").isNull())
                            .isTrue());

            assertThat(servedBy(caller, "acme/many/feature/2").isNull()).isFalse();
            assertThat(servedBy(caller, PROVIDER).isNull()).isFalse();
            assertThat(acquired(service, "acme/many/feature/1", "next").token()).isGreaterThan(token);
            assertThat(caller.acquire("acme/many/feature/1", "sha", 1).requestStatus())
                    .isEqualTo("completed");
        }
    }

    private static JsonNode servedBy(Caller caller, String provider) throws Exception {
        return caller.get("/" + provider).body().path("served_by");
    }

    @Test
    @WithReplicaSet
    @DisplayName("A replica that is told to end answers what is under way, and then gives its providers back")
    void endingReplicaAnswersWhatIsUnderWay(TestDatabase database) throws Exception {
        RunningService service = RunningService.start(database, YAML);
        acquired(service, PROVIDER, "holder");
        CompletableFuture<Reply> poll;
        try (ActiveFailPoint slow = database.activate(FailPoint.failCommands("commitTransaction")
                .blocking(Duration.ofSeconds(2))
                .forAppName(database.name()))) {
            poll = CompletableFuture.supplyAsync(() -> poll(service));
            await().atMost(LIMIT).until(() -> slow.timesEntered() > 0 || poll.isDone());
            service.close();
        }

        assertThat(poll.get().status()).isEqualTo(200);
        assertThat(poll.get().requestStatus()).isEqualTo("pending");
    }

    @Test
    @WithReplicaSet
    @DisplayName(
            "A call for a new provider whose lease is slow to come is answered with 503, and decided when it is repeated")
    void slowLeaseIsAskedForAgain(TestDatabase database) throws Exception {
        try (RunningService service = RunningService.start(database, YAML)) {
            database.activate(FailPoint.failCommands("commitTransaction")
                    .blocking(Duration.ofSeconds(3))
                    .times(1)
                    .forAppName(database.name()));

            Reply once = service.callerOnce().acquire("acme/many/slow", "sha", 1);
            Reply again = service.caller().acquire("acme/many/slow", "sha", 1);

            assertThat(once.status()).isEqualTo(503);
            assertThat(once.error()).isEqualTo("no-owner");
            assertThat(once.body().path("repeat").asText()).isEqualTo("yes");
            assertThat(again.status()).isEqualTo(200);
        }
    }

    @Test
    @WithReplicaSet
    @DisplayName("A lease that shows no address of a replica is answered with 503, not with an error of the service")
    void leaseWithoutAddressIsNoError(TestDatabase database) throws Exception {
        try (RunningService service = RunningService.start(database, YAML);
                LeaseEngine stranger = LeaseEngine.builder(database.newClient())
                        .database(database.name())
                        .namespace("merge-queue")
                        .build()) {
            for (String comment : List.of("replica-1:8080", "http://replica 1", "no address")) {
                String provider = "acme/many/" + comment.length();
                stranger.acquire(LeaseRequest.of(provider).comment(comment).waitAtMost(Duration.ofSeconds(30)));

                Reply reply = service.callerOnce().acquire(provider, "sha", 1);

                assertThat(reply.status()).as(comment).isEqualTo(503);
                assertThat(reply.error()).isEqualTo("no-owner");
            }
        }
    }

    @ParameterizedTest
    @WithReplicaSet
    @DisplayName(
            "Damage to the document of the tokens is told to callers and in the log, and no token is given meanwhile")
    @ValueSource(
            strings = {
                "{token: 'seven'}",
                "{token: 7}",
                "{token: {$numberLong: '-9223372036854775808'}}",
                "{base: {$numberLong: '9223372036854775807'}}",
                "{base: null}"
            })
    void damagedTokensAreTold(String damage, TestDatabase database) throws Exception {
        long token;
        try (RunningService service = RunningService.start(database, YAML)) {
            token = acquired(service, PROVIDER, "sha").token();
        }
        MongoCollection<BsonDocument> settings = database.database().getCollection("settings", BsonDocument.class);
        BsonDocument sound = settings.find().first();
        settings.updateOne(Filters.empty(), new BsonDocument("$set", BsonDocument.parse(damage)));
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.addAppender(log);
        try (RunningService service = RunningService.start(database, YAML)) {
            Reply refused = await().atMost(LIMIT)
                    .until(
                            () -> service.caller().acquire(PROVIDER, "sha", 1),
                            reply -> reply.error().equals("damaged"));
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.body().path("message").asText()).contains("'firstTenure' of the collection settings");
            assertThat(refused.body().path("rule").asText()).contains("from a backup");
            assertThat(refused.body().path("repeat").asText()).isEqualTo("no");
            assertThat(service.caller().delete("/" + PROVIDER).error()).isEqualTo("damaged");
            assertThat(log.list)
                    .filteredOn(event -> event.getLevel() == Level.ERROR)
                    .anyMatch(event -> event.getFormattedMessage().contains("collection settings"));

            settings.replaceOne(Filters.empty(), sound);
            assertThat(acquired(service, PROVIDER, "sha").token()).isEqualTo(token);
        } finally {
            root.detachAppender(log);
        }
    }

    private static Reply poll(RunningService service) {
        try {
            return service.caller().acquire(PROVIDER, "waiter", 1);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static Reply acquired(RunningService service, String provider, String sha) {
        return await().atMost(LIMIT)
                .until(
                        () -> service.caller().acquire(provider, sha, 1),
                        reply -> reply.requestStatus().equals("acquired"));
    }

    private static JsonNode provider(JsonNode list, String id) {
        for (JsonNode provider : list.path("providers")) {
            if (provider.path("provider").asText().equals(id)) {
                return provider;
            }
        }
        throw new AssertionError(id + " is not in " + list);
    }

    private static MongoCollection<BsonDocument> providers(TestDatabase database) {
        return database.database().getCollection("providers", BsonDocument.class);
    }
}
