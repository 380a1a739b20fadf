package dev.leasehold.mergequeue.view;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.leasehold.mergequeue.http.Caller;
import dev.leasehold.mergequeue.http.RunningService;
import dev.leasehold.operator.Chromium;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The page in a browser that lays it out, for people who use a keyboard or a screen reader. Skipped where there is no Chromium. */
@WithReplicaSet
class AccessibilityIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String YAML = """
            operator: https://leasehold.example.com
            providers:
              - {owner: acme, repo: shop, base-ref: main, expected-requests: 2, maximum-hold: 1h, request-ttl: 4h}
              - {owner: acme, repo: shop, base-ref: release/2, expected-requests: 3, request-ttl: 4h}
              - {owner: acme, repo: slow, base-ref: main, expected-requests: 1, long-hold: 1s}
              - {owner: acme, repo: broken, base-ref: main}
              - {owner: acme, repo: idle, base-ref: main}
            """;

    private RunningService service;
    private Caller caller;
    private Chromium browser;

    @BeforeEach
    void start(TestDatabase database) throws Exception {
        Assumptions.assumeTrue(Chromium.program().isPresent(), "there is no Chromium on the path");
        service = RunningService.start(database, YAML);
        caller = service.caller();
        acquire("acme/shop/main", 1);
        long token = acquire("acme/shop/main", 2);
        caller.post("/acme/shop/main/release", body(2, Map.of("status", "success", "token", token)));
        acquire("acme/shop/main", 3);
        acquire("acme/shop/main", 4);
        acquire("acme/shop/main", 5);
        acquire("acme/shop/release/2", 6);
        acquire("acme/slow/main", 7);
        acquire("acme/broken/main", 8);
        service.pass(Duration.ofSeconds(5));
        database.database()
                .getCollection("providers")
                .updateOne(
                        Filters.eq("_id", "acme/broken/main"),
                        Updates.combine(Updates.set("round", "seven"), Updates.inc("version", 1L)));
        browser = Chromium.start();
    }

    @AfterEach
    void end() throws IOException {
        if (browser != null) {
            browser.close();
        }
        if (service != null) {
            service.close();
        }
    }

    private long acquire(String provider, int pullRequest) throws Exception {
        Caller.Reply reply =
                caller.post("/" + provider + "/acquire", body(pullRequest, Map.of("priority", pullRequest)));
        assertThat(reply.status()).isEqualTo(200);
        return reply.token();
    }

    private static Map<String, Object> body(int pullRequest, Map<String, Object> more) {
        String sha = "0123456789abcdef0123456789abcdef0123456" + pullRequest;
        Map<String, Object> body = new LinkedHashMap<>(more);
        body.put("head_sha", sha);
        body.put("head_ref", "gh-readonly-queue/main/pr-" + pullRequest + "-" + sha);
        body.put("run_id", "700" + pullRequest);
        return body;
    }

    private void untilThePageHas(String expression) {
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> browser.evaluate(expression).asBoolean());
    }

    @Test
    @DisplayName("axe-core finds nothing on the page, in light and in dark, on a screen and on a phone")
    void axeFindsNothing() throws IOException {
        List<String> found = new ArrayList<>();
        for (String scheme : List.of("light", "dark")) {
            for (int width : List.of(1_280, 390)) {
                browser.emulate(scheme, width);
                browser.open(service.address() + "/");
                Awaitility.await()
                        .atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(
                                        browser.evaluate("['corrupt', 'expired', 'held', 'settling', 'idle', 'success']"
                                                        + ".filter(s => !document.querySelector('.pill.' + s)).join()")
                                                .asText())
                                .as("kinds that are not on the page")
                                .isEmpty());
                browser.violations().forEach(violation -> found.add(scheme + " " + width + ": " + violation));
                assertThat(browser.fitsInWidth())
                        .as("no scrolling sideways at " + width)
                        .isTrue();
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    @DisplayName("no two parts of the page have one id")
    void idsAreUnique() throws Exception {
        acquire("acme/shop/release/2", 3); // which waits for another branch as well
        browser.open(service.address() + "/");

        assertThat(browser.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)"
                                + ".filter((id, at, all) => all.indexOf(id) !== at).join()")
                        .asText())
                .isEmpty();
    }

    @Test
    @DisplayName("while runs come and go, the focus that the keyboard has brought to a link, and a selected text, stay")
    void focusAndSelectionSurvive() throws Exception {
        browser.emulate("light", 1_280);
        browser.open(service.address() + "/");
        untilThePageHas("!!document.querySelector('.waiting')");
        for (int i = 0;
                i < 80
                        && !browser.evaluate("document.activeElement.textContent === '#6'")
                                .asBoolean();
                i++) {
            browser.press("Tab");
        }
        assertThat(browser.evaluate("document.activeElement.textContent").asText())
                .isEqualTo("#6");
        browser.evaluate("getSelection().selectAllChildren(document.querySelector('.holder code')); true");
        String selected = browser.evaluate("String(getSelection())").asText();
        assertThat(selected).isNotBlank();

        acquire("acme/shop/release/2", 9);
        untilThePageHas("document.body.textContent.includes('#9')");

        assertThat(browser.evaluate("document.activeElement.textContent").asText())
                .isEqualTo("#6");
        assertThat(browser.evaluate("String(getSelection())").asText()).isEqualTo(selected);
    }

    @Test
    @DisplayName("each queue has a link to its lease, where the configuration says where leases are shown")
    void queuesHaveLinksToTheirLeases() {
        browser.open(service.address() + "/");

        assertThat(browser.evaluate(
                                "[...document.querySelectorAll('.title a')].map(a => a.href).filter(h => h.includes('release')).join()")
                        .asText())
                .isEqualTo("https://leasehold.example.com/lease?ns=merge-queue&name=acme%2Fshop%2Frelease%2F2");
    }
}
