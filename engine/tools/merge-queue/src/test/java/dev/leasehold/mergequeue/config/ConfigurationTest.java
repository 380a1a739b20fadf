package dev.leasehold.mergequeue.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.mergequeue.config.Configuration.Credentials;
import dev.leasehold.mergequeue.queue.AfterFailure;
import dev.leasehold.mergequeue.queue.Newcomers;
import dev.leasehold.mergequeue.queue.QueueSettings;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigurationTest {

    private static final String PROVIDER = """
            providers:
              - owner: acme
                repo: shop
                base-ref: main
            """;

    @Test
    void defaultsAreThoseOfTheDocumentation() {
        assertThat(read(PROVIDER).settings("acme", "shop", "main"))
                .contains(new QueueSettings(
                        Duration.ofMinutes(5).toNanos(),
                        Duration.ofSeconds(30).toNanos(),
                        4,
                        0,
                        QueueSettings.NO_MAXIMUM,
                        Duration.ofHours(1).toNanos(),
                        AfterFailure.COLLECT,
                        Newcomers.NEXT_ROUND,
                        true,
                        Duration.ofHours(24).toNanos(),
                        1_000));
        assertThat(read(PROVIDER).limits()).isEqualTo(new Configuration.Limits(16_384, 1_000, 1_000));
        assertThat(read(PROVIDER).credentials()).isEmpty();
        assertThat(read(PROVIDER).hosts()).isEmpty();
    }

    @Test
    void everySettingIsRead() {
        Configuration configuration = read("""
                authentication:
                  - username: ci
                    password: secret
                  - username: ops
                    password: more
                    role: operator
                limits:
                  body-bytes: 2048
                  requests-per-provider: 50
                  providers: 7
                retention: 2d
                providers:
                  - owner: acme
                    repo: shop
                    base-ref: main                # or release/*
                    stabilization-window: 1h30m
                    request-ttl: 45
                    expected-requests: 2
                    delay: 3
                    maximum-hold: 10m
                    long-hold: 8m
                    after-failure: pass-on
                    newcomers: join-holder
                    release-token: optional
                """);

        assertThat(configuration.credentials())
                .containsExactly(
                        new Credentials("ci", "secret", Role.RUN), new Credentials("ops", "more", Role.OPERATOR));
        assertThat(configuration.limits()).isEqualTo(new Configuration.Limits(2_048, 50, 7));
        assertThat(configuration.settings("acme", "shop", "main"))
                .contains(new QueueSettings(
                        Duration.ofMinutes(90).toNanos(),
                        Duration.ofSeconds(45).toNanos(),
                        2,
                        3,
                        Duration.ofMinutes(10).toNanos(),
                        Duration.ofMinutes(8).toNanos(),
                        AfterFailure.PASS_ON,
                        Newcomers.JOIN_HOLDER,
                        false,
                        Duration.ofDays(2).toNanos(),
                        50));
    }

    @ParameterizedTest
    @CsvSource({
        "main, main, true",
        "main, mainline, false",
        "release/*, release/1.2, true",
        "release/*, release/1.2/hotfix, false",
        "release/**, release/1.2/hotfix, true",
        "release/*, released/1, false",
        "re.ease, release, false",
        "'*', main, true",
        "'***', release/1.2/hotfix, true",
        "\uD83D\uDE80/*, \uD83D\uDE80/1.2, true",
        "release/*\uD83D\uDE80, release/1.2\uD83D\uDE80, true",
    })
    void branchesAreNamesOrPatterns(String pattern, String branch, boolean fits) {
        assertThat(new BranchPattern(pattern).fits(branch)).isEqualTo(fits);
    }

    @Test
    void firstEntryThatFitsCounts() {
        Configuration configuration = read("""
                providers:
                  - {owner: acme, repo: shop, base-ref: release/1.0, delay: 1}
                  - {owner: acme, repo: shop, base-ref: release/*, delay: 2}
                """);

        assertThat(configuration.settings("acme", "shop", "release/1.0"))
                .map(QueueSettings::delay)
                .contains(1);
        assertThat(configuration.settings("acme", "shop", "release/1.1"))
                .map(QueueSettings::delay)
                .contains(2);
        assertThat(configuration.settings("acme", "shop", "main")).isEmpty();
        assertThat(configuration.settings("other", "shop", "release/1.0")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'**', main, true",
        "'*', main, true",
        "'**', release/*, true",
        "release/**, release/*, true",
        "release/**, release/x/**, true",
        "release/*, release/**, false",
        "release/*/*, release/**, false",
        "release/*, release/*.x, true",
        "release/*.x, release/*, false",
        "main, '*', false",
        "'*', release/1, false",
    })
    void anEntryThatAnEarlierOneHidesIsRefused(String first, String second, boolean hidden) {
        String yaml = """
                providers:
                  - {owner: acme, repo: shop, base-ref: "%s"}
                  - {owner: acme, repo: other, base-ref: "%s"}
                  - {owner: acme, repo: shop, base-ref: "%s"}
                """.formatted(first, first, second);

        if (hidden) {
            assertThatThrownBy(() -> read(yaml))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("line 4: provider 'acme/shop/" + second + "' would never be used")
                    .hasMessageContaining("'acme/shop/" + first + "' stands before it");
        } else {
            assertThat(read(yaml).providers()).hasSize(3);
        }
    }

    @Test
    void aValueOfTheEnvironmentThatCouldNotBeReadIsRefused() {
        assertThatThrownBy(() -> new ConfigurationReader(Map.of("PW", "p\uFFFD\uFFFDss"))
                        .read("authentication: [{username: ci, password: \"${PW}\"}]\n" + PROVIDER))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("line 1")
                .hasMessageContaining("environment variable PW")
                .hasMessageContaining("LC_ALL")
                .hasMessageNotContaining("\uFFFD");
    }

    @Test
    void valuesComeFromTheEnvironment() {
        Configuration configuration = new ConfigurationReader(Map.of("PASSWORD", "a: [b]\n# $"))
                .read("authentication: [{username: '${USER_NAME:-ci}', password: '${PASSWORD}$${x}'}]\n" + PROVIDER);

        assertThat(configuration.credentials()).contains(new Credentials("ci", "a: [b]\n# $${x}", Role.RUN));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "authentication: [{username: ci, password: ~}]",
                "authentication: [{username: ci, password: null}]",
                "authentication: [{username: Null, password: x}]",
                "hosts: [null]",
                "retention: ~"
            })
    void aKeyWithoutAValueIsNotTakenForTheWord(String key) {
        assertThatThrownBy(() -> read(key + "\n" + PROVIDER))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("line 1")
                .hasMessageContaining("has no value");
    }

    @Test
    void aWordInQuotationMarksIsAWord() {
        assertThat(read("authentication: [{username: ci, password: 'null'}]\n" + PROVIDER)
                        .credentials())
                .contains(new Credentials("ci", "null", Role.RUN));
    }

    @Test
    void passwordIsNotShown() {
        assertThat(new Credentials("ci", "secret", Role.RUN)).asString().doesNotContain("secret");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "provider: []                                        | line 1 | unknown key 'provider'",
                "providers: []                                       | line 1 | at least one entry",
                "retention: 24h                                      | line 1 | 'providers' must be a list",
                "providers:;- owner: a;  repo: b;  base_ref: c       | line 4 | unknown key 'base_ref'",
                "providers:;- owner: a;  repo: b                     | line 2 | 'base-ref' is missing",
                "providers:;- owner: a;  owner: b                    | line 3 | second time",
                "providers:;- {owner: a/b, repo: b, base-ref: c}     | line 2 | 'owner' is 'a/b'",
                "providers:;- {owner: a, repo: b, base-ref: c/../d}  | line 2 | 'base-ref' is 'c/../d'",
                "providers:;- {owner: a, repo: b, base-ref: c};- {owner: a, repo: b, base-ref: c} | line 3 | second time",
                "limits: {providers: 1};providers:;- {owner: a, repo: b, base-ref: c};- {owner: a, repo: b, base-ref: d} | line 1 | 2 providers have names of branches",
                "operator: leasehold.example.com;providers:;- {owner: a, repo: b, base-ref: c} | line 1 | 'operator' is 'leasehold.example.com'",
                "operator: 'javascript:alert(1)';providers:;- {owner: a, repo: b, base-ref: c} | line 1 | 'operator' is 'javascript:alert(1)'",
                "providers:;- owner: a;  repo: b;  base-ref: c;  request-ttl: soon | line 5 | 'soon', it must be a duration",
                "providers:;- owner: a;  repo: b;  base-ref: c;  request-ttl: 0    | line 5 | more than zero",
                "providers:;- owner: a;  repo: b;  base-ref: c;  request-ttl: none | line 5 | 'none'",
                "providers:;- owner: a;  repo: b;  base-ref: c;  maximum-hold: 366d | line 5 | at most 365d",
                "providers:;- owner: a;  repo: b;  base-ref: c;  expected-requests: 0 | line 5 | a number from 1",
                "providers:;- owner: a;  repo: b;  base-ref: c;  expected-requests: many | line 5 | a number from 1",
                "providers:;- owner: a;  repo: b;  base-ref: c;  after-failure: retry | line 5 | collect or pass-on",
                "providers:;- owner: a;  repo: [b]                   | line 3 | single value",
                "providers:;- owner: ${NOT_THERE}                    | line 2 | NOT_THERE is not set",
                "authentication:;- {username: a, password: '${PW-x}'} | line 2 | '${' begins no reference",
                "authentication:;- {username: a, password: '${PW:?no}'} | line 2 | '${' begins no reference",
                "authentication:;- {username: a, password: '${MY-PW}'} | line 2 | '${' begins no reference",
                "authentication:;- {username: a, password: '${A:-${B}}'} | line 2 | '${' begins no reference",
                "authentication: [{username: a}]                     | line 1 | 'password' is missing",
                "authentication: [{username: 'a:b', password: c}]    | line 1 | without ':'",
                "authentication: [{username: \u00e4123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789, password: c}] | line 1 | at most 100 bytes",
                "limits: {requests-per-provider: 1001};providers: [] | line 1 | from 1 to 1000",
                "authentication: {username: a, password: b}         | line 1 | must be a list",
                "hosts: queue.example.com;providers: []              | line 1 | 'hosts' must be a list",
                "hosts: ['http://queue'];providers: []               | line 1 | 'http://queue', each must be",
                "authentication: []                                  | line 1 | at least one entry",
                "authentication:;- {username: a, password: b};- {username: a, password: c} | line 3 | second time",
                "authentication:;- {username: a, password: b, role: admin} | line 2 | read or run or operator",
                "providers:;- {owner: health, repo: b, base-ref: c}  | line 2 | 'owner' is 'health'",
                "providers:;- {owner: Metrics, repo: b, base-ref: c} | line 2 | 'owner' is 'Metrics'",
                "providers:;- {owner: openapi.json, repo: b, base-ref: c} | line 2 | 'owner' is 'openapi.json'",
                "providers:;- {owner: .., repo: b, base-ref: c}      | line 2 | 'owner' is '..'",
                "providers:;- {owner: a, repo: ., base-ref: c}       | line 2 | 'repo' is '.'",
                "providers:;- {owner: a, repo: b, base-ref: c/release} | line 2 | 'base-ref' is 'c/release'",
                "providers:;- owner: a;  repo: b;  base-ref: c;  newcomers: all | line 5 | next-round or join-holder",
                "providers:;- owner: a;  repo: b;  base-ref: c;  release-token: yes | line 5 | required or optional",
                "providers: [                                        | line 1 | not YAML",
                "just words                                          | line 1 | keys are expected",
            })
    void refusalNamesTheLine(String yaml, String line, String message) {
        assertThatThrownBy(() -> read(yaml.replace(';', '\n')))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith(line + ":")
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{a: ", "- ", "? "})
    void aFileThatIsNestedWithoutEndIsRefused(String level) {
        assertThatThrownBy(() -> read("providers:\n  " + level.repeat(100_000)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("line 2: nested deeper than 20 levels");
    }

    @Test
    void emptyFileIsRefused() {
        assertThatThrownBy(() -> read("")).hasMessageContaining("line 1: the file is empty");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "m", "5 m", "-5s", "5y", "1e3s", "99999999999s"})
    void onlyDurationsAreDurations(String text) {
        boolean number = text.equals("5");
        assertThat(DurationText.parse(text).isPresent()).isEqualTo(number);
    }

    private static Configuration read(String yaml) {
        return new ConfigurationReader(Map.of()).read(yaml);
    }
}
