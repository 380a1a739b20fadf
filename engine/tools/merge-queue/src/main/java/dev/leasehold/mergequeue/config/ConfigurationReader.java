package dev.leasehold.mergequeue.config;

import dev.leasehold.mergequeue.config.Configuration.Credentials;
import dev.leasehold.mergequeue.config.Configuration.Limits;
import dev.leasehold.mergequeue.queue.AfterFailure;
import dev.leasehold.mergequeue.queue.Newcomers;
import dev.leasehold.mergequeue.queue.QueueSettings;
import dev.leasehold.mergequeue.queue.Requester;
import dev.leasehold.mergequeue.replica.ProviderKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** Reads a configuration, and refuses what it does not know. */
public final class ConfigurationReader {

    private static final long WINDOW_NANOS = Duration.ofMinutes(5).toNanos();
    private static final long TTL_NANOS = Duration.ofSeconds(30).toNanos();
    private static final long LONG_HOLD_NANOS = Duration.ofHours(1).toNanos();
    private static final long RETENTION_NANOS = Duration.ofHours(24).toNanos();
    private static final int EXPECTED = 4;
    private static final Pattern SITE_URL = Pattern.compile("https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?");
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?");
    private static final int BODY_BYTES = 16 * 1024;
    private static final int PROVIDERS = 1_000;
    private static final int MILLION = 1_000_000;
    /** Far more than there are keys in keys. */
    private static final int DEPTH_MAX = 20;

    private final Environment environment;

    /**
     * A reader.
     *
     * @param variables of the environment
     */
    public ConfigurationReader(Map<String, String> variables) {
        this.environment = new Environment(variables);
    }

    /**
     * Reads the text of a file.
     *
     * @param yaml the text
     * @return what it says
     * @throws ConfigurationException if it is refused
     */
    public Configuration read(String yaml) {
        Section root = Section.of(
                parsed(yaml),
                environment,
                "authentication",
                "hosts",
                "limits",
                "retention",
                "github",
                "operator",
                "providers");
        Limits limits = limits(root);
        long retentionNanos = root.nanos("retention", RETENTION_NANOS, false, null);
        return new Configuration(
                credentials(root),
                root.texts("hosts", host -> HOST.matcher(host).matches(), "a name such as queue.example.com").stream()
                        .map(host -> host.toLowerCase(Locale.ROOT))
                        .collect(Collectors.toUnmodifiableSet()),
                limits,
                providers(root, limits, retentionNanos),
                root.has("github")
                        ? root.required(
                                "github", url -> SITE_URL.matcher(url).matches(), "a URL such as https://github.com")
                        : Configuration.GITHUB,
                root.has("operator")
                        ? root.required(
                                "operator",
                                url -> SITE_URL.matcher(url).matches(),
                                "a URL such as https://leasehold.example.com")
                        : null);
    }

    private static Node parsed(String yaml) {
        LoadSettings settings =
                LoadSettings.builder().setSchema(new CoreSchema()).build();
        try {
            refuseDepth(new Parse(settings).parseString(yaml));
            return new Compose(settings)
                    .composeString(yaml)
                    .orElseThrow(() -> ConfigurationException.at(1, "the file is empty"));
        } catch (MarkedYamlEngineException e) {
            int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
            throw ConfigurationException.at(line, "not YAML: " + e.getProblem());
        } catch (YamlEngineException e) {
            throw ConfigurationException.at(1, "not YAML: " + e.getMessage());
        }
    }

    /** The parser needs no stack for what is nested, but what makes nodes of its events does. */
    private static void refuseDepth(Iterable<Event> events) {
        int depth = 0;
        for (Event event : events) {
            if (event instanceof CollectionStartEvent && ++depth > DEPTH_MAX) {
                int line = event.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
                throw ConfigurationException.at(line, "nested deeper than " + DEPTH_MAX + " levels");
            }
            if (event instanceof CollectionEndEvent) {
                depth--;
            }
        }
    }

    private static List<Credentials> credentials(Section root) {
        if (!root.has("authentication")) {
            return List.of();
        }
        List<Credentials> all = new ArrayList<>();
        Set<String> known = new HashSet<>();
        for (Section section : root.sections("authentication", "username", "password", "role")) {
            Credentials one = new Credentials(
                    section.required(
                            "username",
                            ConfigurationReader::isUsername,
                            "a name without ':', of at most " + Requester.NAME_BYTES_MAX + " bytes in UTF-8"),
                    section.required("password", password -> !password.isEmpty(), "not empty"),
                    section.choice("role", Role.RUN, Role.values(), Role::text));
            if (!known.add(one.username())) {
                throw ConfigurationException.at(
                        section.line(), "username '" + one.username() + "' stands here a second time");
            }
            all.add(one);
        }
        return List.copyOf(all);
    }

    private static boolean isUsername(String name) {
        return !name.isEmpty()
                && name.indexOf(':') < 0
                && name.getBytes(StandardCharsets.UTF_8).length <= Requester.NAME_BYTES_MAX;
    }

    private static Limits limits(Section root) {
        return root.section("limits", "body-bytes", "requests-per-provider", "providers")
                .map(section -> new Limits(
                        section.number("body-bytes", BODY_BYTES, 1_024, MILLION),
                        section.number(
                                "requests-per-provider", QueueSettings.REQUESTS_MAX, 1, QueueSettings.REQUESTS_MAX),
                        section.number("providers", PROVIDERS, 1, MILLION)))
                .orElse(new Limits(BODY_BYTES, QueueSettings.REQUESTS_MAX, PROVIDERS));
    }

    private static List<ConfiguredProvider> providers(Section root, Limits limits, long retentionNanos) {
        List<ConfiguredProvider> providers = new ArrayList<>();
        Set<String> known = new HashSet<>();
        for (Section section : root.sections(
                "providers",
                "owner",
                "repo",
                "base-ref",
                "stabilization-window",
                "request-ttl",
                "expected-requests",
                "delay",
                "maximum-hold",
                "long-hold",
                "after-failure",
                "newcomers",
                "release-token")) {
            ConfiguredProvider provider = provider(section, limits, retentionNanos);
            String id = provider.id();
            if (!known.add(id)) {
                throw ConfigurationException.at(section.line(), "provider '" + id + "' stands here a second time");
            }
            providers.stream()
                    .filter(earlier -> earlier.covers(provider))
                    .findFirst()
                    .ifPresent(earlier -> {
                        throw ConfigurationException.at(
                                section.line(),
                                "provider '" + id + "' would never be used, since '" + earlier.id()
                                        + "' stands before it and fits the same branches: put it first");
                    });
            providers.add(provider);
        }
        long names = providers.stream().filter(one -> one.baseRef().isName()).count();
        if (names > limits.providersMax()) {
            throw ConfigurationException.at(
                    root.line(),
                    names + " providers have names of branches, and limits.providers, which is " + limits.providersMax()
                            + ", lets a replica serve fewer");
        }
        return List.copyOf(providers);
    }

    private static ConfiguredProvider provider(Section section, Limits limits, long retentionNanos) {
        QueueSettings settings = new QueueSettings(
                section.nanos("stabilization-window", WINDOW_NANOS, true, null),
                section.nanos("request-ttl", TTL_NANOS, false, null),
                section.number("expected-requests", EXPECTED, 1, MILLION),
                section.number("delay", 0, 0, MILLION),
                section.nanos("maximum-hold", QueueSettings.NO_MAXIMUM, false, QueueSettings.NO_MAXIMUM),
                section.nanos("long-hold", LONG_HOLD_NANOS, false, QueueSettings.NO_MAXIMUM),
                section.choice("after-failure", AfterFailure.COLLECT, AfterFailure.values(), AfterFailure::text),
                section.choice("newcomers", Newcomers.NEXT_ROUND, Newcomers.values(), Newcomers::text),
                section.choice("release-token", true, new Boolean[] {true, false}, ConfigurationReader::demand),
                retentionNanos,
                limits.requestsMax());
        String names = "1 to 100 letters, digits, '_', '.' and '-', not dots alone";
        return new ConfiguredProvider(
                section.required(
                        "owner",
                        owner -> isKey(owner, "repo", "main"),
                        names + ", and none of " + String.join(", ", ProviderKey.RESERVED_OWNERS)),
                section.required("repo", repo -> isKey("owner", repo, "main"), names),
                new BranchPattern(section.required(
                        "base-ref",
                        ref -> isKey("owner", "repo", ref.replace("*", "x")),
                        "a branch such as main, or a pattern such as release/*")),
                settings);
    }

    private static boolean isKey(String owner, String repo, String baseRef) {
        try {
            return !new ProviderKey(owner, repo, baseRef).id().isEmpty();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static String demand(boolean required) {
        return required ? "required" : "optional";
    }
}
