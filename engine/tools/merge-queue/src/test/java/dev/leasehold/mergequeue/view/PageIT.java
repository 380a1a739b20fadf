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
import org.awaitility.Awaitility;
import org.htmlunit.BrowserVersion;
import org.htmlunit.WebClient;
import org.htmlunit.html.DomElement;
import org.htmlunit.html.DomNode;
import org.htmlunit.html.HtmlButton;
import org.htmlunit.html.HtmlPage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The page, as a browser without scripts reads it, and what its script fetches. */
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
        assertThat(idle.getTextContent()).contains("No run waits.");
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
    void pageRefreshesItselfWithoutAndWithItsScript() throws Exception {
        HtmlPage page = page();

        assertThat(page.getWebResponse().getContentAsString())
                .contains("<noscript><meta http-equiv=\"refresh\" content=\"5\"></noscript>");
        assertThat(page.<Object>getFirstByXPath("//script[@src='/page.js']")).isNotNull();
        assertThat((List<?>) page.getByXPath("//script[not(@src)] | //style | //*[@style]"))
                .isEmpty();
        assertThat(page.getWebResponse().getResponseHeaderValue("Content-Security-Policy"))
                .startsWith("default-src 'none'");
        assertThat(page.getTitleText()).isEqualTo("Merge queue");
        assertThat(caller.get("/page.js")
                        .response()
                        .headers()
                        .firstValue("Content-Type")
                        .orElse(""))
                .startsWith("text/javascript");
        assertThat(caller.get("/style.css")
                        .response()
                        .headers()
                        .firstValue("Content-Type")
                        .orElse(""))
                .startsWith("text/css");
    }

    @Test
    void troubleComesFirstAndTheFilterShowsItsOwn() throws Exception {
        acquire("low", 1);

        assertThat(page().<DomElement>getByXPath("//section/@data-provider").toString())
                .matches(".*acme/shop/main.*acme/idle/main.*");
        HtmlPage idle = browser.getPage(service.address() + "/?show=idle");
        assertThat(idle.asNormalizedText()).contains("acme/idle/main").doesNotContain("acme/shop/main");
        HtmlPage found = browser.getPage(service.address() + "/?q=SHOP");
        assertThat(found.asNormalizedText()).contains("acme/shop/main").doesNotContain("acme/idle/main");
        assertThat(page().getElementById("tile-settling").getTextContent()).isEqualTo("1 settling");
        assertThat(page().getElementById("tile-waiting").getTextContent()).isEqualTo("1 runs waiting");
    }

    @Test
    void runsAndPullRequestsHaveLinksToGitHub() throws Exception {
        String sha = "0123456789abcdef0123456789abcdef01234567";
        caller.post(
                "/acme/shop/main/acquire",
                Map.of(
                        "head_sha",
                        sha,
                        "head_ref",
                        "gh-readonly-queue/main/pr-411-" + sha,
                        "run_id",
                        "7001",
                        "run_attempt",
                        2,
                        "priority",
                        1));

        assertThat(page().getAnchors().stream().map(link -> link.getHrefAttribute()))
                .contains(
                        "https://github.com/acme/shop/pull/411",
                        "https://github.com/acme/shop/commit/" + sha,
                        "https://github.com/acme/shop/actions/runs/7001/attempts/2");
        caller.delete("/acme/shop/main");
        acquire("low", 1);
        assertThat(page().getAnchors().stream().map(link -> link.getHrefAttribute()))
                .as("links to what may be no commit")
                .noneMatch(link -> link.startsWith("https://github.com"));
    }

    @Test
    void aQueueThatIsNotIdleIsClearedByItsButton() throws Exception {
        acquire("low", 1);
        try (WebClient scripted = new WebClient(BrowserVersion.CHROME)) {
            scripted.getOptions().setFetchPolyfillEnabled(true);
            scripted.setConfirmHandler((page, message) -> message.contains("acme/shop/main"));
            HtmlPage page = scripted.getPage(service.address() + "/");
            assertThat((List<?>) page.getByXPath("//section[@data-provider='acme/idle/main']//button"))
                    .isEmpty();

            page.<HtmlButton>getFirstByXPath("//section[@data-provider='acme/shop/main']//button")
                    .click();

            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
                synchronized (page) { // as in a browser: not while a script changes it
                    return page.asNormalizedText().contains("Done.")
                            && page.getByXPath("//button").isEmpty();
                }
            });
        }
        assertThat(text(provider("acme/shop/main"), ".state")).isEqualTo("idle");
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
    void waitersHaveRowsOfTheirOwnWhateverTheirNames() throws Exception {
        for (String[] names : List.of(new String[] {"sha-1", "2"}, new String[] {"sha", "1-2"})) {
            caller.post(
                    "/acme/shop/main/acquire",
                    Map.of(
                            "head_sha",
                            names[0],
                            "run_id",
                            names[1],
                            "job",
                            "test",
                            "head_ref",
                            "branch",
                            "priority",
                            1));
        }

        assertThat(page().<DomElement>getByXPath("//table[@class='waiting']/tbody/tr"))
                .extracting(DomElement::getId)
                .hasSize(2)
                .doesNotHaveDuplicates();
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
