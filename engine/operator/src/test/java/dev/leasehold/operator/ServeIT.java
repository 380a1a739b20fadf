package dev.leasehold.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.replicaset.ActiveFailPoint;
import dev.leasehold.replicaset.FailPoint;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.htmlunit.WebClient;
import org.htmlunit.html.HtmlButton;
import org.htmlunit.html.HtmlCheckBoxInput;
import org.htmlunit.html.HtmlForm;
import org.htmlunit.html.HtmlInput;
import org.htmlunit.html.HtmlPage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The page, in a browser and beside it. */
@WithReplicaSet
class ServeIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private TestDatabase database;
    private Service service;
    private @Nullable Served served;
    private final WebClient browser = new WebClient();

    @BeforeEach
    void start(TestDatabase fresh) {
        database = fresh;
        service = Service.on(database, "shop:1");
    }

    @AfterEach
    void end() {
        browser.close();
        if (served != null) {
            served.close();
        }
        service.close();
    }

    /** Answers where it serves. */
    private String serve(String... more) {
        served = Served.by(Tool.on(database), more);
        return served.url();
    }

    private String board(String url) throws IOException, InterruptedException {
        return get(url + "board").body();
    }

    private static HttpResponse<String> get(String url) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private void untilTheBoardShows(String url, String text) {
        Awaitility.await().atMost(PATIENCE).until(() -> board(url).contains(text));
    }

    @Test
    @DisplayName("The page shows leases, engines that live, and what has happened since, and keeps itself fresh")
    void thePageShowsWhatIs() throws Exception {
        service.holds(LeaseRequest.of("invoices").holder("a").comment("run <7>"));
        String url = serve();
        untilTheBoardShows(url, "invoices");
        HtmlPage page = browser.getPage(url);

        assertThat(page.getTitleText()).isEqualTo("Leases of billing");
        assertThat(text(page, "leases")).contains("invoices").contains("active").contains("run <7>");
        assertThat(text(page, "writers")).contains("shop:1 #").contains("at most");
        assertThat(text(page, "waiters")).contains("leasehold.waiters");

        service.holds(LeaseRequest.of("reports").holder("b"));
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> text(page, "leases").contains("reports")
                        && text(page, "timeline").contains("reports was acquired by b under token 1")
                        && text(page, "writers").contains("alive"));

        HtmlInput filter = page.getHtmlElementById("filter");
        filter.type("repo");
        assertThat(text(page, "leases")).contains("reports").doesNotContain("run <7>");
    }

    /** As in a browser: not while a script of the page writes it. */
    private static String text(HtmlPage page, String id) {
        synchronized (page) {
            return page.getElementById(id).asNormalizedText();
        }
    }

    @Test
    @DisplayName("While the database is away the page says so, and shows what it saw before")
    void thePageSurvivesTheDatabase() throws Exception {
        service.holds("invoices");
        String appName = database.name() + "-page";
        served = Served.by(Tool.on(database, database.uri().replaceFirst("appName=[^&]+", "appName=" + appName)));
        String url = served.url();
        untilTheBoardShows(url, "invoices");

        ActiveFailPoint away = database.activate(
                FailPoint.failCommands("find").withErrorCode(91).forAppName(appName));
        untilTheBoardShows(url, "class=\"trouble\"");
        assertThat(board(url)).contains("invoices");
        away.close();

        untilTheBoardShows(url, "class=\"well\"");
    }

    @Test
    @DisplayName("Without --allow-orders there is no way to do anything")
    void withoutOrdersThereAreNone() throws Exception {
        service.holds("invoices");
        String url = serve();
        untilTheBoardShows(url, "invoices");

        HtmlPage lease = browser.getPage(url + "lease?name=invoices");

        assertThat(lease.getForms()).isEmpty();
        assertThat(post(url + "orders/pin", "lease=invoices&entity=ops", url.substring(0, url.length() - 1)))
                .isEqualTo(403);
        assertThat(get(url + "orders/pin").statusCode()).isEqualTo(403);
    }

    @Test
    @DisplayName("With --allow-orders a lease is pinned, unpinned and ended by forms")
    void ordersAreGivenByForms() throws Exception {
        service.holds("invoices");
        String url = serve("--allow-orders");
        untilTheBoardShows(url, "invoices");

        HtmlPage pinned = submit(browser.getPage(url + "lease?name=invoices"), "/orders/pin", "entity", "ops");
        assertThat(pinned.getElementById("result").asNormalizedText()).isEqualTo("invoices is pinned by ops now");
        untilTheBoardShows(url, "invoices is pinned by ops");
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> browser.<HtmlPage>getPage(url + "lease?name=invoices")
                        .asNormalizedText()
                        .contains("Take away the pin of ops"));
        HtmlPage unpinned = submit(browser.getPage(url + "lease?name=invoices"), "/orders/unpin", null, "");
        assertThat(unpinned.getElementById("result").asNormalizedText()).isEqualTo("invoices is not pinned by ops now");

        HtmlPage ended =
                submit(browser.getPage(url + "lease?name=invoices"), "/orders/force-expire", "reason", "it hangs");

        assertThat(ended.getElementById("result").asNormalizedText())
                .contains("the tenure of 'h' under token 1 is over");
        untilTheBoardShows(url, "invoices was ended by an operator: it hangs");
    }

    private static HtmlPage submit(HtmlPage page, String action, String field, String value) throws IOException {
        HtmlForm form = page.getForms().stream()
                .filter(each -> each.getActionAttribute().equals(action))
                .findFirst()
                .orElseThrow();
        if (field != null) {
            form.getInputByName(field).type(value);
        }
        for (HtmlCheckBoxInput sure : form.<HtmlCheckBoxInput>getByXPath(".//input[@type='checkbox']")) {
            sure.setChecked(true);
        }
        return form.<HtmlButton>getFirstByXPath(".//button").click();
    }

    @Test
    @DisplayName("An order of a foreign page is refused: by its origin, its token, and the name of the host")
    void anOrderOfAForeignPageIsRefused() throws Exception {
        service.holds("invoices");
        String url = serve("--allow-orders");
        untilTheBoardShows(url, "invoices");
        String own = url.substring(0, url.length() - 1);
        HtmlPage page = browser.getPage(url + "lease?name=invoices");
        String token = page.getForms().get(0).getInputByName("token").getValue();
        String order = "lease=invoices&entity=ops&token=";

        assertThat(post(url + "orders/pin", order + token, "http://evil.example"))
                .isEqualTo(403);
        assertThat(post(url + "orders/pin", order + token, "null")).isEqualTo(403);
        assertThat(post(url + "orders/pin", order + token, null)).isEqualTo(403);
        assertThat(post(url + "orders/pin", order + "0".repeat(64), own)).isEqualTo(403);
        assertThat(post(url + "orders/pin", "lease=invoices&entity=ops", own)).isEqualTo(403);
        assertThat(get(url + "orders/pin?" + order + token).statusCode()).isEqualTo(405);
        assertThat(service.engine().admin().inspect("invoices").describe()).doesNotContain("pinned");

        assertThat(post(url + "orders/dance", order + token, own)).isEqualTo(404);
        assertThat(post(url + "orders/pin", order + token, own)).isEqualTo(303);
        assertThat(service.engine().admin().inspect("invoices").describe()).contains("pinned");
    }

    private static int post(String url, String form, String origin) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(form));
        if (origin != null) {
            request.header("Origin", origin);
        }
        return HttpClient.newHttpClient()
                .send(request.build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    @DisplayName("A page under a foreign name is not served, so that no foreign page can read it")
    void aForeignNameIsNotServed() throws Exception {
        String url = serve();
        int port = URI.create(url).getPort();

        assertThat(statusUnder("evil.example:" + port, port)).contains(" 403 ");
        assertThat(statusUnder("localhost:" + port, port)).contains(" 200 ");
    }

    /** The client of the JDK does not let one choose the host. */
    private static String statusUnder(String host, int port) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.getOutputStream().write(("GET / HTTP/1.0\r\nHost: " + host + "\r\n\r\n").getBytes("US-ASCII"));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), "US-ASCII")).readLine();
        }
    }

    @Test
    void whatIsNoPageIsNotServed() throws Exception {
        String url = serve("--json");

        assertThat(get(url + "etc/passwd").statusCode()).isEqualTo(404);
        assertThat(get(url + "lease?name=nothing").body()).contains("There was no lease of this name");
        assertThat(get(url + "lease?name=%3Cscript%3E").body())
                .contains("&lt;script&gt;")
                .doesNotContain("<script>");
        assertThat(get(url).headers().firstValue("Content-Security-Policy").orElse(""))
                .contains("default-src 'none'");
        assertThat(post(url, "", null)).isEqualTo(405);
    }

    @Test
    void ordersAreOnlyForThisMachine() {
        Tool.Result refused = Tool.on(database).run("serve", "--bind", "0.0.0.0", "--allow-orders");

        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).contains("ssh tunnel");
    }

    @Test
    void itEndsInTime() {
        assertThat(Tool.on(database)
                        .run("serve", "--port", "0", "--for", "100ms")
                        .exitCode())
                .isZero();
    }
}
