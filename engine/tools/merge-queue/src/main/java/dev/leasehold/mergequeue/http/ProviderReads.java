package dev.leasehold.mergequeue.http;

import com.mongodb.MongoException;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.mergequeue.config.Configuration;
import dev.leasehold.mergequeue.queue.QueueSettings;
import dev.leasehold.mergequeue.queue.QueueState;
import dev.leasehold.mergequeue.replica.ProviderKey;
import dev.leasehold.mergequeue.replica.Replica;
import dev.leasehold.mergequeue.store.DamagedStateException;
import dev.leasehold.mergequeue.store.ReadState;
import dev.leasehold.mergequeue.store.Revision;
import dev.leasehold.mergequeue.store.StoredState;
import dev.leasehold.mergequeue.view.Page;
import dev.leasehold.mergequeue.view.ProviderView;
import dev.leasehold.mergequeue.view.ProvidersView;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is read only: any replica shows it, as of the last write of whichever serves the provider. Nothing is decided from it. Reads have
 * threads of their own and a limit of time; while the database does not answer, the last view is shown with its age.
 */
final class ProviderReads implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ProviderReads.class);
    private static final int READERS = 8;
    private static final int LINE = 256;
    private static final long LIMIT_MILLIS = 4_000;

    private final Configuration configuration;
    private final Replica replica;
    private final Page page;
    private final Executor answering;
    private final ThreadPoolExecutor readers = new ThreadPoolExecutor(
            READERS,
            READERS,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(LINE),
            task -> Threads.daemon(task, "merge-queue-read"));
    private volatile @Nullable Seen last;
    /** Of those that were asked for one by one; a list makes it anew. */
    private final Map<String, SeenOne> lastOnes = new ConcurrentHashMap<>();
    /** Of the lists, without the replicas that serve them. */
    private final Map<String, Listed> lastListed = new ConcurrentHashMap<>();

    ProviderReads(Configuration configuration, Replica replica, Page page, Executor answering) {
        this.configuration = configuration;
        this.replica = replica;
        this.page = page;
        this.answering = answering;
    }

    private record Seen(List<ProviderView> views, long atNanos) {

        long ageSeconds() {
            return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - atNanos);
        }
    }

    private record SeenOne(ProviderView view, long atNanos) {}

    private record Listed(Revision revision, ProviderView view) {}

    /** As the driver and the engine read: both may throw, and be interrupted. */
    @FunctionalInterface
    private interface Read<T> {
        T now() throws InterruptedException;
    }

    void list(Context ctx) {
        read(ctx, this::views, (views, trouble) -> {
            if (views != null) {
                remember(new Seen(views, System.nanoTime()));
                show(ctx, new ProvidersView(views, 0, null));
            } else {
                Seen seen = last;
                if (seen == null) {
                    show(ctx, new ProvidersView(List.of(), 0, trouble));
                } else {
                    show(ctx, new ProvidersView(seen.views(), seen.ageSeconds(), trouble));
                }
            }
        });
    }

    private void show(Context ctx, ProvidersView latest) {
        // The same address has two forms, and caches must keep them apart.
        ctx.header("Vary", "Accept, Leasehold-Part");
        if ("board".equals(ctx.header("Leasehold-Part"))) {
            // By its script, which changes the page in place. A board that is old is one all the same.
            ctx.header("Leasehold-Now", page.now().toString())
                    .header(
                            "Leasehold-Seen",
                            page.now().minusSeconds(latest.age_seconds()).toString())
                    .html(page.board(latest, wanted(ctx)));
            return;
        }
        if (latest.trouble() != null) {
            ErrorBody.refused(ctx, ApiException.unavailable(latest.trouble()));
        }
        if (PlainText.isPreferred("text/html", ctx)) {
            ctx.header("Content-Security-Policy", Page.CONTENT_SECURITY_POLICY).html(page.html(latest, wanted(ctx)));
        } else {
            ctx.json(latest);
        }
    }

    private static Page.Wanted wanted(Context ctx) {
        String text = ctx.queryParam("q");
        String show = ctx.queryParam("show");
        return new Page.Wanted(
                text == null ? "" : text.strip(),
                show == null ? "" : show,
                Admission.requester(ctx).mayEndOthers());
    }

    void show(Context ctx, ProviderKey key, QueueSettings settings) {
        read(ctx, () -> view(key, settings), (view, trouble) -> {
            if (view != null) {
                remember(new SeenOne(view, System.nanoTime()));
                ctx.json(view);
            } else {
                ErrorBody.write(ctx, ApiException.unavailable(String.valueOf(trouble)), lastSight(key.id()));
            }
        });
    }

    private void remember(Seen seen) {
        last = seen;
        lastOnes.clear();
        seen.views().forEach(view -> remember(new SeenOne(view, seen.atNanos())));
    }

    private void remember(SeenOne one) {
        String id = one.view().provider();
        if (lastOnes.size() < configuration.limits().providersMax() || lastOnes.containsKey(id)) {
            lastOnes.put(id, one);
        }
    }

    private Map<String, Object> lastSight(String id) {
        Map<String, Object> more = new LinkedHashMap<>();
        SeenOne seen = lastOnes.get(id);
        if (seen != null) {
            more.put("age_seconds", TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - seen.atNanos()));
            more.put("last_seen", seen.view());
        }
        return more;
    }

    private ProviderView view(ProviderKey key, QueueSettings settings) throws InterruptedException {
        String owner = replica.owners().get(key.id());
        try {
            return ProviderView.of(key.id(), owner, settings, replica.state(key).state(), null);
        } catch (DamagedStateException e) {
            return ProviderView.of(key.id(), owner, settings, QueueState.EMPTY, e.getMessage());
        }
    }

    /** Answers with the value, or with why there is none. */
    private <T> void read(Context ctx, Read<T> read, BiConsumer<@Nullable T, @Nullable String> answer) {
        ctx.future(() -> {
            CompletableFuture<T> value = new CompletableFuture<>();
            try {
                readers.execute(() -> complete(value, read));
            } catch (RejectedExecutionException e) {
                value.completeExceptionally(new TimeoutException("too many reads are under way"));
            }
            return value.orTimeout(LIMIT_MILLIS, TimeUnit.MILLISECONDS)
                    .handleAsync(
                            (result, failure) -> {
                                answer.accept(result, result == null ? trouble(failure) : null);
                                return null;
                            },
                            answering);
        });
    }

    private static <T> void complete(CompletableFuture<T> value, Read<T> read) {
        if (value.isDone()) {
            return; // the caller was answered long ago
        }
        try {
            value.complete(read.now());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            value.completeExceptionally(new TimeoutException("this replica is about to end"));
        } catch (RuntimeException e) {
            value.completeExceptionally(e);
        }
    }

    /** Outages have no stack trace: they are of the database. */
    private static String trouble(@Nullable Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof TimeoutException) {
            return cause.getMessage() == null ? "the database does not answer" : cause.getMessage();
        }
        if (cause instanceof MongoException || cause instanceof LeaseException) {
            LOG.debug("The queues could not be read", cause);
            return "the database does not answer: " + cause.getMessage();
        }
        LOG.error("The queues could not be read", cause);
        return "the queues could not be read";
    }

    /** Documents may be large and are mostly as they were, so a list reads again only those that were written since the last one. */
    private List<ProviderView> views() throws InterruptedException {
        Map<String, String> owners = replica.owners();
        Map<String, ProviderView> views = new TreeMap<>();
        configuration.providers().stream()
                .filter(provider -> provider.baseRef().isName())
                .forEach(provider ->
                        views.put(provider.id(), view(provider.id(), new ReadState(StoredState.NONE, null))));
        Map<String, Revision> revisions = replica.revisions();
        revisions.keySet().removeIf(id -> settings(id).isEmpty());
        lastListed.keySet().retainAll(revisions.keySet());
        List<String> changed = new ArrayList<>();
        revisions.forEach((id, revision) -> {
            Listed known = lastListed.get(id);
            if (known != null && known.revision().equals(revision)) {
                views.put(id, known.view());
            } else {
                changed.add(id);
            }
        });
        replica.readAll(changed, (id, read) -> {
            ProviderView view = view(id, read);
            views.put(id, view);
            // It may be of a later write than the revision: then the next list reads it again.
            lastListed.put(id, new Listed(Objects.requireNonNull(revisions.get(id)), view));
        });
        return views.values().stream()
                .map(view -> view.servedBy(owners.get(view.provider())))
                .toList();
    }

    private ProviderView view(String id, ReadState read) {
        return ProviderView.of(
                id, null, settings(id).orElseThrow(), read.stored().state(), read.damage());
    }

    /** What was taken out of the configuration keeps its document, but is not shown; nor is what no provider is called. */
    private Optional<QueueSettings> settings(String id) {
        String[] parts = id.split("/", 3);
        return parts.length < 3 ? Optional.empty() : configuration.settings(parts[0], parts[1], parts[2]);
    }

    @Override
    public void close() {
        readers.shutdownNow();
    }
}
