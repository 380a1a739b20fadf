package dev.leasehold.pekko;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bson.Document;

/** What was recorded, and whether two ever acted as holders at the same time. */
final class Records {

    private static final Duration LIMIT = Duration.ofSeconds(90);

    private final MongoDatabase database;

    Records(MongoDatabase database) {
        this.database = database;
    }

    static String singletonLease() {
        return "shop-singleton-pekko://shop/user/" + ClusterNode.SINGLETON;
    }

    static String shardLease(int shard) {
        return "shop-shard-" + ClusterNode.TYPE + "-" + shard;
    }

    static List<String> allLeases() {
        List<String> leases = new ArrayList<>();
        leases.add(singletonLease());
        for (int i = 0; i < ClusterNode.SHARDS; i++) {
            leases.add(shardLease(i));
        }
        return leases;
    }

    long count(String collection, String lease, String node) {
        return database.getCollection(collection)
                .countDocuments(Filters.and(Filters.eq("lease", lease), Filters.eq("node", node)));
    }

    void awaitMore(String collection, String lease, String node) {
        long before = count(collection, lease, node);
        await().atMost(LIMIT).until(() -> count(collection, lease, node) > before);
    }

    /** Work under all leases, wherever each shard is, by a node. */
    void awaitAllBy(ClusterNode asked, String node) {
        await().atMost(LIMIT).untilAsserted(() -> {
            asked.wakeEntities();
            assertThat(allLeases().stream().filter(lease -> count("gated", lease, node) == 0))
                    .as("leases without work of %s; stored: %s", node, stored())
                    .isEmpty();
        });
    }

    private List<Document> stored() {
        return database.getCollection("leases").find().into(new ArrayList<>());
    }

    /** Work under all leases, by whichever node. What a node asks for arrives once it belongs to the cluster, so it does after this. */
    void awaitAll(ClusterNode asked) {
        await().atMost(LIMIT).until(() -> {
            asked.wakeEntities();
            return allLeases().stream()
                    .allMatch(lease -> database.getCollection("gated").countDocuments(Filters.eq("lease", lease)) > 0);
        });
    }

    /** Commits of one tenure are never mixed with those of another, and no two holders were valid at once. */
    void judge() {
        for (String lease : allLeases()) {
            judgeCommits(lease);
            judgeValidity(lease);
        }
    }

    private void judgeCommits(String lease) {
        long latest = 0;
        Map<Long, String> nodes = new TreeMap<>();
        for (Document commit :
                database.getCollection("gated").find(Filters.eq("lease", lease)).sort(Sorts.ascending("commit"))) {
            long token = commit.getLong("token");
            assertThat(token).as("%s: commits by token", lease).isGreaterThanOrEqualTo(latest);
            latest = token;
            String node = commit.getString("node");
            assertThat(nodes.computeIfAbsent(token, none -> node))
                    .as("%s: node of token %d", lease, token)
                    .isEqualTo(node);
        }
        assertThat(nodes).as("%s", lease).isNotEmpty();
    }

    private void judgeValidity(String lease) {
        long previousNanos = Long.MIN_VALUE;
        for (Span span : spans(lease).values()) {
            assertThat(span.firstNanos)
                    .as("%s: held while another held it", lease)
                    .isGreaterThan(previousNanos);
            previousNanos = span.lastNanos;
        }
    }

    /** By token, in its order. The monotonic clock is that of the machine, which all processes here share. */
    private Map<Long, Span> spans(String lease) {
        Map<Long, Span> spans = new TreeMap<>();
        for (Document held : database.getCollection("held").find(Filters.eq("lease", lease))) {
            spans.computeIfAbsent(held.getLong("token"), token -> new Span()).add(held.getLong("nanos"));
        }
        return spans;
    }

    private static final class Span {
        private long firstNanos = Long.MAX_VALUE;
        private long lastNanos = Long.MIN_VALUE;

        private void add(long nanos) {
            firstNanos = Math.min(firstNanos, nanos);
            lastNanos = Math.max(lastNanos, nanos);
        }
    }
}
