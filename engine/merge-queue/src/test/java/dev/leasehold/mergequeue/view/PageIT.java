package dev.leasehold.mergequeue.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.mergequeue.http.Caller;
import dev.leasehold.mergequeue.http.RunningService;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.htmlunit.BrowserVersion;
import org.htmlunit.WebClient;
import org.htmlunit.html.DomElement;
import org.htmlunit.html.DomNode;
import org.htmlunit.html.HtmlPage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The page, as a browser without scripts reads it. */
@WithReplicaSet
class PageIT {

    private static final Instant NOON = Instant.parse("2031-03-01T12:00:00Z");
    private static final String YAML = """
            providers:
              - {owner: acme, repo: shop, base-ref: main, expected-requests: 3, maximum-hold: 1h, request-ttl: 1h}
              - {owner: acme, repo: idle, base-ref: main}
            """;

    private final WebClient browser = new WebClient(BrowserVersion.FIREFOX);
    private RunningService service;
    private Caller caller;

    @BeforeEach
    void start(TestDatabase database) {
        service = RunningService.start(database, YAML, () -> NOON);
        caller = service.caller();
        browser.getOptions().setJavaScriptEnabled(false);
        browser.setRefreshHandler((page, url, seconds) -> {}); // the test reloads when it likes
    }

    @AfterEach
    void close() {
        browser.close();
        service.close();
    }

    @Test
    void idleProviderIsShownAsSuch() throws Exception {
        DomElement idle = provider("acme/idle/main");

        assertThat(text(idle, ".state")).isEqualTo("idle");
        assertThat(idle.getTextContent()).contains("Nobody waits.");
        assertThat((Object) idle.querySelector(".holder")).isNull();
    }

    @Test
    void waitersAreShownInOrderWithTheWindow() throws Exception {
        acquire("low", 1);
        acquire("high", 2);
        service.pass(Duration.ofMinutes(2));
        acquire("low", 1);

        DomElement provider = provider("acme/shop/main");

        assertThat(text(provider, ".state")).isEqualTo("settling");
        assertThat(text(provider, ".window"))
                .matches("2 of 3 expected requests\\. The window closes in [12] min \\d+ s\\.|.* in 3 min 0 s\\.");
        assertThat(rows(provider, ".waiting")).hasSize(2);
        assertThat(rows(provider, ".waiting").get(0))
                .startsWith("1branch-highhigh2")
                .contains("2 min ");
        assertThat(rows(provider, ".waiting").get(1))
                .startsWith("2branch-lowlow1")
                .contains(" s ago");
    }

    @Test
    void holderIsShownWithSinceAndUntil() throws Exception {
        acquire("low", 1);
        acquire("mid", 2);
        acquire("high", 3);
        service.pass(Duration.ofMinutes(20));
        acquire("low", 1);

        DomElement provider = provider("acme/shop/main");

        assertThat(text(provider, ".state")).isEqualTo("held");
        assertThat(text(provider, ".holder"))
                .contains("branch-high", "priority 3, token 1")
                .containsPattern("11:(39|40):\\d\\d UTC \\(2[01] min ")
                .containsPattern("12:(38|39|40):\\d\\d UTC at the latest \\((38|39|40) min ");
        assertThat(text(provider, ".title")).contains("served by " + service.address());
    }

    @Test
    void lastRoundsAreShown() throws Exception {
        acquire("low", 1);
        acquire("mid", 2);
        acquire("high", 3);
        caller.release("acme/shop/main", "high", "failure", 1);
        acquire("next", 3);
        caller.release("acme/shop/main", "next", "success", 2);

        List<String> rows = rows(provider("acme/shop/main"), ".history");

        assertThat(rows).hasSize(2);
        assertThat(rows.get(0)).startsWith("1branch-nextnext2success3");
        assertThat(rows.get(1)).startsWith("1branch-highhigh1failure1");
    }

    @Test
    void pageIsWithoutScriptsAndRefreshesItself() throws Exception {
        HtmlPage page = page();

        assertThat((List<?>) page.getByXPath("//script")).isEmpty();
        assertThat(page.<Object>getFirstByXPath("//meta[@http-equiv='refresh']"))
                .isNotNull();
        assertThat(page.getWebResponse().getResponseHeaderValue("Content-Security-Policy"))
                .startsWith("default-src 'none'");
        assertThat(page.getTitleText()).isEqualTo("Merge queue");
    }

    @Test
    void namesOfBranchesAreOnlyText() throws Exception {
        caller.post(
                "/acme/shop/main/acquire",
                Map.of("head_sha", "sha", "head_ref", "<img src=x onerror=alert(1)>{{now}}", "priority", 1));

        HtmlPage page = page();

        assertThat((List<?>) page.getByXPath("//img")).isEmpty();
        assertThat(page.asNormalizedText()).contains("<img src=x onerror=alert(1)>{{now}}");
    }

    @Test
    void programsGetJson() throws Exception {
        assertThat(caller.get("/").response().headers().firstValue("Content-Type"))
                .contains("application/json");
    }

    private void acquire(String sha, long priority) throws Exception {
        assertThat(caller.acquire("acme/shop/main", sha, priority).status()).isEqualTo(200);
    }

    private HtmlPage page() throws IOException {
        return browser.getPage(service.address() + "/");
    }

    private DomElement provider(String name) throws IOException {
        return page().getFirstByXPath("//section[@data-provider='" + name + "']");
    }

    private static String text(DomNode node, String selector) {
        return node.querySelector(selector).asNormalizedText();
    }

    private static List<String> rows(DomNode node, String table) {
        return node.querySelectorAll(table + " tbody tr").stream()
                .map(row -> row.getTextContent().strip())
                .toList();
    }
}
