package dev.leasehold.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.replicaset.ActiveFailPoint;
import dev.leasehold.replicaset.FailPoint;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.bson.Document;
import org.htmlunit.BrowserVersion;
import org.htmlunit.WebClient;
import org.htmlunit.html.DomElement;
import org.htmlunit.html.HtmlAnchor;
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
    private final WebClient browser = browser();

    private static WebClient browser() {
        WebClient client = new WebClient(BrowserVersion.CHROME);
        client.getOptions().setFetchPolyfillEnabled(true);
        return client;
    }

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
        return boardAt(url).body();
    }

    private static HttpResponse<String> boardAt(String url, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url)).header("Leasehold-Part", "board");
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpResponse<String> get(String url) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private void untilTheBoardShows(String url, String text) {
        Awaitility.await().atMost(PATIENCE).until(() -> board(url).contains(text));
    }

    @Test
    @DisplayName("A comment that is the address of a page is a link, and no other text is")
    void addressesAreLinks() throws Exception {
        service.holds(LeaseRequest.of("queue").comment("http://replica-1:8080"));
        service.holds(LeaseRequest.of("script").comment("javascript:alert(1)"));
        service.holds(LeaseRequest.of("quote").comment("https://a\" onclick=\"alert(1)"));
        String url = serve();

        untilTheBoardShows(url, "<a href=\"http://replica-1:8080\">http://replica-1:8080</a>");
        untilTheBoardShows(url + "lease?ns=billing&name=queue", "<a href=\"http://replica-1:8080\">");
        untilTheBoardShows(url, "javascript:alert(1)");
        assertThat(board(url)).doesNotContain("href=\"javascript").doesNotContain("href=\"https://a");
    }

    @Test
    @DisplayName("The page of a lease shows its waiters, with a link to each engine, and the overview how many")
    void thePageShowsTheWaiters() throws Exception {
        service.holds(LeaseRequest.of("invoices").holder("a"));
        String url = serve();
        untilTheBoardShows(url + "lease?ns=billing&name=invoices", "No process stands in the wait queue.");
        try (Service other = Service.on(database, "shop:2")) {
            other.waitsFor(
                    LeaseRequest.of("invoices").holder("b <7>").priority(3).comment("run 8"));

            untilTheBoardShows(url + "lease?ns=billing&name=invoices", "id=\"waiter-1\"");
            HtmlPage page = browser.getPage(url + "lease?ns=billing&name=invoices");
            assertThat(text(page, "waiters")).containsPattern("1\\s+b <7>\\s+shop:2 #.*\\s+3\\s+.*\\s+run 8");
            assertThat(board(url + "lease?ns=billing&name=invoices"))
                    .containsPattern("<a href=\"/engine[^>]*>shop:2 #")
                    .doesNotContain("b <7>");
            untilTheBoardShows(url, "<td data-label=\"Waiting\"><div>1</div>");
        }
    }

    @Test
    @DisplayName("The page shows leases, engines that live, and what has happened since, and keeps itself fresh")
    void thePageShowsWhatIs() throws Exception {
        service.holds(LeaseRequest.of("invoices").holder("a").comment("run <7>"));
        String url = serve();
        untilTheBoardShows(url, "invoices");
        HtmlPage page = browser.getPage(url);

        assertThat(page.getTitleText()).isEqualTo("Leases of billing");
        assertThat(text(page, "leases"))
                .contains("invoices")
                .containsPattern("unverified|active")
                .contains("run <7>");
        assertThat(text(page, "engines")).contains("shop:1 #").contains("at most");

        service.holds(LeaseRequest.of("reports").holder("b"));
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> text(page, "leases").contains("reports")
                        && text(page, "timeline").contains("reports was acquired by b under token 1")
                        && text(page, "engines").contains("alive")
                        && text(page, "leases").contains("active")
                        && text(page, "leases").contains("in 2"));
        assertThat(page.getElementById("tile-held").getTextContent()).isEqualTo("2 held");

        HtmlInput filter = page.getHtmlElementById("q");
        filter.type("repo");
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> text(page, "leases").contains("reports")
                        && !text(page, "leases").contains("run <7>"));
        assertThat(filter.getValue()).as("what was typed").isEqualTo("repo");
    }

    @Test
    @DisplayName(
            "Rows change in place: the row that has the focus is the same one after others came and went, and what was"
                    + " typed stays")
    void rowsChangeInPlace() throws Exception {
        service.holds("m");
        Lease first = service.holds("a");
        String url = serve("--allow-orders");
        untilTheBoardShows(url, ">m<");
        HtmlPage page = browser.getPage(url + "?ns=billing&sort=name");
        DomElement row = page.getElementById("lease-billing-m");
        DomElement link = (DomElement) row.getFirstByXPath(".//a");
        link.focus();

        service.holds("b");
        first.close();

        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> text(page, "leases").contains("b")
                        && text(page, "leases").contains("free"));
        assertThat(page.getElementById("lease-billing-m")).isSameAs(row);
        assertThat(page.getFocusedElement()).isSameAs(link);

        HtmlPage lease = browser.getPage(url + "lease?ns=billing&name=m");
        HtmlInput reason = (HtmlInput) lease.getElementsByName("reason").get(0);
        reason.type("it han");
        service.engine().admin().pin("m", "ops");
        Awaitility.await().atMost(PATIENCE).until(() -> lease.asNormalizedText().contains("Take away the pin of ops"));
        assertThat(lease.getElementsByName("reason").get(0)).isSameAs(reason);
        assertThat(reason.getValue()).isEqualTo("it han");
    }

    @Test
    @DisplayName("A board that has not changed is not sent again, and a large one is sent compressed")
    void anUnchangedBoardIsNotSentAgain() throws Exception {
        service.engine().tenures().claim("invoices", "h", Duration.ofMinutes(50), null);
        String url = serve();
        untilTheBoardShows(url, "invoices");
        String lease = url + "lease?ns=billing&name=invoices";
        Awaitility.await().atMost(PATIENCE).until(() -> boardAt(lease).body().contains("pill"));
        HttpResponse<String> first = boardAt(lease);
        String tag = first.headers().firstValue("ETag").orElseThrow();

        HttpResponse<String> again = boardAt(lease, "If-None-Match", tag);

        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
        assertThat(again.headers().firstValue("Leasehold-Seen")).isPresent();
        assertThat(boardAt(lease, "If-None-Match", "\"other\"").statusCode()).isEqualTo(200);
        assertThat(boardAt(url, "Accept-Encoding", "gzip").headers().firstValue("Content-Encoding"))
                .contains("gzip");
        assertThat(boardAt(url, "Accept-Encoding", "gzip;q=0").headers().firstValue("Content-Encoding"))
                .isEmpty();
    }

    @Test
    @DisplayName("Connections that send half a request neither stop the page, nor stay")
    void halfRequestsDoNotStopThePage() throws Exception {
        String url = serve();
        int port = URI.create(url).getPort();
        List<Socket> halves = new ArrayList<>();
        try {
            for (int i = 0; i < 60; i++) {
                Socket half = new Socket("127.0.0.1", port);
                half.getOutputStream().write("GET / HTTP/1.1\r\nHost: loc".getBytes(StandardCharsets.US_ASCII));
                halves.add(half);
            }

            assertThat(get(url).statusCode()).isEqualTo(200);
            for (Socket half : halves) {
                half.setSoTimeout((int) PATIENCE.toMillis());
                assertThat(half.getInputStream().read())
                        .as("end of the connection")
                        .isEqualTo(-1);
            }
        } finally {
            for (Socket half : halves) {
                half.close();
            }
        }
    }

    @Test
    @DisplayName(
            "It serves on every address and name of the machine, in any case, and under names that are given, all with any"
                    + " port, as behind a tunnel")
    void itServesOnAnyAddress() throws Exception {
        for (String bind : List.of("0.0.0.0", "127.0.0.2", "localhost", "::")) {
            try (Served page = Served.by(Tool.on(database), "--bind", bind, "--name", "Leases.example:81")) {
                int port = URI.create(page.url()).getPort();
                String own = bind.equals("127.0.0.2") ? bind : "LocalHost";

                assertThat(statusUnder(own + ":" + port, bind.equals("127.0.0.2") ? bind : "127.0.0.1", port))
                        .as(bind)
                        .contains(" 200 ");
                for (String host :
                        List.of("leases.example:" + port, "leases.example", "localhost:9999", "[::1]:9999")) {
                    assertThat(statusUnder(host, own, port)).as(host).contains(" 200 ");
                }
                for (String host : List.of("evil.example:" + port, "localhost.evil.example", "127.0.0.1.evil:81")) {
                    assertThat(statusUnder(host, own, port)).as(host).contains(" 403 ");
                }
            }
        }
    }

    @Test
    @DisplayName("A port that is taken is said in a line")
    void aTakenPort() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            Tool.Result refused = Tool.on(database).run("serve", "--port", String.valueOf(taken.getLocalPort()));

            assertThat(refused.exitCode()).isEqualTo(2);
            assertThat(refused.err())
                    .contains("cannot listen on 127.0.0.1 port")
                    .contains("--port 0");
        }
    }

    @Test
    @DisplayName("A page shows several namespaces, each with a link, and the doctor's findings of each")
    void severalNamespaces() throws Exception {
        service.holds("invoices").close();
        try (Service other = new Service(database.newClient(), database, "orders", "orders:1", 1)) {
            other.holds("packing");
            Service.documents(database).updateOne(Filters.eq("_id", "billing#invoices"), Updates.set("token", "seven"));
            served = Served.by(Tool.on(database).with("LEASEHOLD_NAMESPACE", "*"));
            String url = served.url();
            untilTheBoardShows(url + "?ns=orders", "packing");

            assertThat(get(url).body()).contains("/?ns=billing").contains("/?ns=orders");
            assertThat(board(url + "?ns=orders")).doesNotContain("invoices");
            untilTheBoardShows(url + "?ns=billing", "id=\"trouble\"");
            assertThat(board(url + "?ns=billing")).contains("<b>leases</b>").contains("field &#39;token&#39;");
        }
    }

    @Test
    @DisplayName("A namespace that is not served is not taken for another one, and a form that is too long is not cut")
    void otherNamespacesAndLongFormsAreRefused() throws Exception {
        String url = serve("--allow-orders");

        assertThat(get(url + "?ns=payroll").statusCode()).isEqualTo(404);
        assertThat(get(url + "lease?ns=payroll&name=invoices").statusCode()).isEqualTo(404);
        assertThat(post(url + "orders/pin", "ns=payroll&lease=invoices&entity=ops")
                        .statusCode())
                .isEqualTo(404);
        assertThat(post(url + "orders/pin", "lease=invoices&entity=" + "x".repeat(20_000))
                        .statusCode())
                .isEqualTo(413);
    }

    private static HttpResponse<String> post(String url, String form) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(url))
                                .header("Content-Type", "application/x-www-form-urlencoded")
                                .POST(HttpRequest.BodyPublishers.ofString(form))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    @Test
    @DisplayName("A lease, its engine and the leases of that engine have links to each other")
    void leasesAndEnginesHaveLinks() throws Exception {
        service.holds("invoices");
        String url = serve();
        untilTheBoardShows(url, "\">alive<");

        HtmlPage lease =
                browser.<HtmlPage>getPage(url).getAnchorByText("invoices").click();
        HtmlAnchor toEngine = lease.getAnchors().stream()
                .filter(link -> link.getHrefAttribute().startsWith("/engine"))
                .findFirst()
                .orElseThrow();
        HtmlPage engine = toEngine.click();

        assertThat(engine.getTitleText()).startsWith("Engine shop:1#");
        assertThat(engine.asNormalizedText()).contains("Sign of life").contains("alive moved");
        HtmlPage back = engine.getAnchorByText("invoices").click();
        assertThat(back.getTitleText()).isEqualTo("Lease invoices");
    }

    @Test
    @DisplayName("What cannot be seen in names and ids is shown as an escape, on the page and in every table")
    void whatCannotBeSeenIsEscaped() throws Exception {
        service.holds("x\u202e\u2028y").close();
        Document copy =
                Service.documents(database).find(Filters.eq("type", "lease")).first();
        Service.documents(database).insertOne(copy.append("_id", "billing#\u001b[31mred\nFAKE active row"));
        String url = serve();
        untilTheBoardShows(url, "FAKE active row");

        List<String> shown = List.of(
                board(url),
                Tool.on(database).run("list").out(),
                Tool.on(database).run("list", "--json").out(),
                Tool.on(database).run("doctor", "--look", "0s").out());

        assertThat(shown).allSatisfy(text -> {
            assertThat(text).containsIgnoringCase("\\u001b[31mred\\").contains("FAKE active row");
            assertThat(text.lines()).noneMatch(line -> line.startsWith("FAKE"));
            assertThat(text).doesNotContainPattern("[\\p{Cf}\\p{Zl}\\p{Zp}\\x00-\\x09\\x0b-\\x1f]");
        });
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
        assertThat(get(url + "orders/pin").statusCode()).isEqualTo(405);
    }

    @Test
    @DisplayName("With --allow-orders a lease is pinned, unpinned and ended by forms")
    void ordersAreGivenByForms() throws Exception {
        service.holds("invoices");
        String url = serve("--allow-orders");
        untilTheBoardShows(url, "invoices");

        HtmlPage pinned = submit(browser.getPage(url + "lease?name=invoices"), "/orders/pin", "entity", "ops");
        assertThat(pinned.getElementById("result").asNormalizedText()).isEqualTo("invoices is pinned by 'ops' now");
        assertThat(pinned.asNormalizedText()).as("the state after the order").contains("Take away the pin of ops");
        untilTheBoardShows(url, "is pinned by ops");
        HtmlPage unpinned = submit(pinned, "/orders/unpin", null, "");
        assertThat(unpinned.getElementById("result").asNormalizedText())
                .isEqualTo("invoices is not pinned by 'ops' now, nor by another entity");
        assertThat(unpinned.asNormalizedText()).doesNotContain("Take away the pin");

        HtmlPage ended =
                submit(browser.getPage(url + "lease?name=invoices"), "/orders/force-expire", "reason", "it hangs");

        assertThat(ended.getElementById("result").asNormalizedText())
                .contains("the tenure of 'h' under token 1 is over");
        assertThat(ended.getElementById("lease").asNormalizedText())
                .as("the state after the order")
                .contains("free")
                .contains("it hangs");
        assertThat(ended.getForms())
                .as("forms to end a tenure")
                .noneMatch(form -> form.getActionAttribute().equals("/orders/force-expire"));
        untilTheBoardShows(url, "was ended by an operator: it hangs");
    }

    @Test
    @DisplayName("With --allow-orders a lease that is kept free can be acquired after a form")
    void theTimeOfALeaseThatIsKeptFreeIsEnded() throws Exception {
        service.holds(LeaseRequest.of("invoices").holder("h").atLeast(Duration.ofMinutes(10)))
                .close();
        String url = serve("--allow-orders");
        untilTheBoardShows(url, "invoices");

        HtmlPage ended =
                submit(browser.getPage(url + "lease?name=invoices"), "/orders/force-expire", "reason", "it failed");

        assertThat(ended.getElementById("result").asNormalizedText()).contains("invoices is not kept free any more");
        assertThat(service.engine().tryAcquire("invoices").asOptional()).isPresent();
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

        assertThat(statusUnder("evil.example:" + port, "127.0.0.1", port)).contains(" 403 ");
        assertThat(statusUnder("localhost:" + port, "127.0.0.1", port)).contains(" 200 ");
    }

    /** The client of the JDK does not let one choose the host. */
    private static String statusUnder(String host, String address, int port) throws IOException {
        try (Socket socket = new Socket(address, port)) {
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
        HttpResponse<String> head = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(url))
                                .method("HEAD", HttpRequest.BodyPublishers.noBody())
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(head.statusCode()).isEqualTo(200);
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
