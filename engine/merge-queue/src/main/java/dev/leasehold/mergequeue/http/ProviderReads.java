package dev.leasehold.mergequeue.http;

import dev.leasehold.mergequeue.config.Configuration;
import dev.leasehold.mergequeue.config.ConfiguredProvider;
import dev.leasehold.mergequeue.queue.QueueSettings;
import dev.leasehold.mergequeue.queue.QueueState;
import dev.leasehold.mergequeue.replica.ProviderKey;
import dev.leasehold.mergequeue.replica.Replica;
import dev.leasehold.mergequeue.store.StoredState;
import dev.leasehold.mergequeue.view.Page;
import dev.leasehold.mergequeue.view.ProviderView;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What is read only: any replica shows it, as of the last write of whoever serves the provider. Nothing is decided from it. */
final class ProviderReads {

    private final Configuration configuration;
    private final Replica replica;
    private final Page page;

    ProviderReads(Configuration configuration, Replica replica, Page page) {
        this.configuration = configuration;
        this.replica = replica;
        this.page = page;
    }

    void list(Context ctx) throws InterruptedException {
        List<ProviderView> views = views();
        String accept = ctx.header("Accept");
        // The same address has two forms, and caches must keep them apart.
        ctx.header("Vary", "Accept");
        if (accept != null && accept.contains("text/html")) {
            ctx.header("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; img-src data:")
                    .html(page.html(views));
        } else {
            ctx.json(Map.of("providers", views));
        }
    }

    void show(Context ctx, ProviderKey key, QueueSettings settings) throws InterruptedException {
        ctx.json(ProviderView.of(
                key.id(),
                replica.owners().get(key.id()),
                settings,
                replica.state(key).state()));
    }

    private List<ProviderView> views() throws InterruptedException {
        Map<String, String> owners = replica.owners();
        Map<String, QueueState> states = new TreeMap<>();
        configuration.providers().stream()
                .filter(provider -> provider.baseRef().isName())
                .forEach(provider -> states.put(id(provider), QueueState.EMPTY));
        for (Map.Entry<String, StoredState> stored : replica.states().entrySet()) {
            states.put(stored.getKey(), stored.getValue().state());
        }
        List<ProviderView> views = new ArrayList<>();
        states.forEach((id, state) ->
                settings(id).ifPresent(settings -> views.add(ProviderView.of(id, owners.get(id), settings, state))));
        return views;
    }

    private static String id(ConfiguredProvider provider) {
        return provider.owner() + "/" + provider.repo() + "/"
                + provider.baseRef().text();
    }

    /** What was taken out of the configuration keeps its document, but is not shown. */
    private Optional<QueueSettings> settings(String id) {
        String[] parts = id.split("/", 3);
        return configuration.settings(parts[0], parts[1], parts[2]);
    }
}
