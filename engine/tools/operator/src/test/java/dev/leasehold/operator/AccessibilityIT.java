package dev.leasehold.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

    private Service service;
    private Served served;
    private Chromium browser;

    @BeforeEach
    void start(TestDatabase database) throws Exception {
        Assumptions.assumeTrue(Chromium.program().isPresent(), "there is no Chromium on the path");
        service = Service.on(database, "shop:1");
        service.holds(LeaseRequest.of("invoices").holder("a").comment("run 7"));
        service.holds("m");
        service.holds("newsletter").close();
        service.holds("damaged").close();
        service.engine().admin().pin("newsletter", "ops");
        Service.documents(database).updateOne(Filters.eq("_id", "billing#damaged"), Updates.set("token", "seven"));
        served = Served.by(Tool.on(database), "--allow-orders");
        browser = Chromium.start();
    }

    @AfterEach
    void end() throws IOException {
        if (service != null) {
            browser.close();
            served.close();
            service.close();
        }
    }

    private void untilThePageHas(String expression) {
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> browser.evaluate(expression).asBoolean());
    }

    @Test
    @DisplayName("axe-core finds nothing on the pages, in light and in dark, on a screen and on a phone")
    void axeFindsNothing() throws IOException {
        List<String> found = new ArrayList<>();
        for (String page : List.of("", "lease?ns=billing&name=invoices", "lease?ns=billing&name=damaged", "engine")) {
            for (String scheme : List.of("light", "dark")) {
                for (int width : List.of(1_280, 390)) {
                    browser.emulate(scheme, width);
                    browser.open(served.url() + page);
                    if (page.isEmpty()) {
                        untilThePageHas(
                                "!!document.querySelector('#trouble') && !!document.querySelector('.pill.active')");
                    }
                    for (String violation : browser.violations()) {
                        found.add(page + " " + scheme + " " + width + ": " + violation);
                    }
                    assertThat(browser.fitsInWidth())
                            .as("no scrolling sideways of '" + page + "' at " + width)
                            .isTrue();
                }
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    @DisplayName(
            "While leases come and go, the focus that the keyboard has brought to a lease, a selected text and the place on the page stay")
    void focusSelectionAndScrollSurvive() throws InterruptedException {
        browser.emulate("light", 1_280);
        browser.open(served.url() + "?ns=billing&sort=name");
        untilThePageHas("!!document.getElementById('lease-billing-m')");
        for (int i = 0;
                i < 60
                        && !browser.evaluate("document.activeElement.textContent === 'm'")
                                .asBoolean();
                i++) {
            browser.press("Tab");
        }
        assertThat(browser.evaluate("document.activeElement.textContent").asText())
                .isEqualTo("m");
        browser.evaluate(
                "getSelection().selectAllChildren(document.querySelector('#lease-billing-invoices a')); scrollTo(0, 120); true");
        assertThat(browser.evaluate("scrollY").asInt()).isPositive();

        service.holds("b");
        service.holds("z");
        untilThePageHas("!!document.getElementById('lease-billing-b') && !!document.getElementById('lease-billing-z')");

        assertThat(browser.evaluate("document.activeElement.textContent").asText())
                .isEqualTo("m");
        assertThat(browser.evaluate("String(getSelection())").asText()).isEqualTo("invoices");
        assertThat(browser.evaluate("scrollY").asInt()).isPositive();
    }
}
