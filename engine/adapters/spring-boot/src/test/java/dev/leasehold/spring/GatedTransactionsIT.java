package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.replicaset.FailPoint;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.boot.mongodb.autoconfigure.MongoClientSettingsBuilderCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoTransactionManager;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.data.mongodb.core.query.Update;
import org.springframework.data.mongodb.repository.MongoRepository;
import org.springframework.data.mongodb.repository.config.EnableMongoRepositories;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

@WithReplicaSet
class GatedTransactionsIT {

    private ConfigurableApplicationContext application;
    private LeaseEngine engine;
    private Shop shop;
    private MongoTemplate mongo;
    private GatedTransactions transactions;

    record Invoice(@Id String id, String text) {}

    interface Invoices extends MongoRepository<Invoice, String> {}

    static class Shop {

        private final Invoices invoices;
        private final MongoTemplate mongo;
        private final MongoClient client;
        private final LeaseTransactionManager manager;
        private volatile @Nullable Throwable lateGate;

        Shop(Invoices invoices, MongoTemplate mongo, MongoClient client, LeaseTransactionManager manager) {
            this.invoices = invoices;
            this.mongo = mongo;
            this.client = client;
            this.manager = manager;
        }

        @Leased(name = "invoices", gated = true, shared = true)
        public void gated(String id, Runnable between) {
            invoices.save(new Invoice(id, "repository"));
            mongo.insert(new Document("_id", id + "-2"), "others");
            between.run();
        }

        @Leased(name = "invoices", gated = true, shared = true)
        public void gatedFailing(String id) throws IOException {
            invoices.save(new Invoice(id, "repository"));
            throw new IOException("disk full");
        }

        @Transactional
        public void bound(Lease lease, String id, Runnable between) {
            manager.gate(lease);
            between.run();
            invoices.save(new Invoice(id, "bound"));
        }

        @Transactional
        public void suspending(Lease lease, String id, Shop self) {
            manager.gate(lease);
            self.ungated(id + "-new");
            invoices.save(new Invoice(id, "bound"));
        }

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void ungated(String id) {
            invoices.save(new Invoice(id, "ungated"));
        }

        public void gateWithoutTransaction(Lease lease) {
            manager.gate(lease);
        }

        @Transactional
        public void inOwnSession(Lease lease, String id, Runnable between) {
            manager.gate(lease);
            try (ClientSession own = client.startSession()) {
                mongo.getDb().getCollection("own").insertOne(own, new Document("_id", id));
            }
            between.run();
        }

        @Transactional
        public void gatedBeforeTheCommit(Lease lease, String id) {
            invoices.save(new Invoice(id, "bound"));
            beforeCommit(() -> {
                invoices.save(new Invoice(id + "-audit", "before the commit"));
                manager.gate(lease);
            });
        }

        @Transactional
        public void gatedAfterTheCheck(Lease first, Lease second, String id) {
            manager.gate(first);
            invoices.save(new Invoice(id, "bound"));
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void beforeCompletion() {
                    lateGate = catchThrowable(() -> manager.gate(second));
                }
            });
        }

        @Transactional
        public void lostInTheMiddle(Lease lease, String id, Runnable between) {
            invoices.save(new Invoice(id, "bound"));
            between.run();
            manager.gate(lease);
        }

        @Transactional(label = "mongo:writeConcern=w1")
        public void gatedWithAWeakerWriteConcern(Lease lease) {
            manager.gate(lease);
        }

        @Transactional
        public void failingAfterAWriteToTheLease(Lease lease) {
            manager.gate(lease);
            mongo.updateFirst(Query.query(isOf(lease)), new Update().inc("gates", 1L), "leases");
            throw new IllegalStateException("the body failed");
        }

        static Criteria isOf(Lease lease) {
            return Criteria.where("_id").is(lease.tenure().leaseId());
        }

        private static void beforeCommit(Runnable work) {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void beforeCommit(boolean readOnly) {
                    work.run();
                }
            });
        }

        @Transactional
        public void boundAndReading(Lease lease, String id) {
            manager.gate(lease);
            invoices.save(new Invoice(id, "bound"));
            assertThat(invoices.findById(id)).isPresent();
        }

        @Transactional
        public void gatedInside(Shop self) {
            self.gated("inner", () -> {});
        }
    }

    @EnableMongoRepositories(basePackageClasses = GatedTransactionsIT.class, considerNestedRepositories = true)
    static class WithShop {
        @Bean
        Shop shop(Invoices invoices, MongoTemplate mongo, MongoClient client, LeaseTransactionManager manager) {
            return new Shop(invoices, mongo, client, manager);
        }
    }

    @BeforeEach
    void start(TestDatabase database) {
        application = Application.start(database, WithShop.class, "leasehold.gated.retry-time=60s");
        engine = application.getBean(LeaseEngine.class);
        shop = application.getBean(Shop.class);
        mongo = application.getBean(MongoTemplate.class);
        transactions = application.getBean(GatedTransactions.class);
        for (String collection : List.of("invoice", "others", "own", "counter")) {
            mongo.createCollection(collection);
        }
    }

    @AfterEach
    void stop() {
        application.close();
    }

    private void forceExpire(String name) {
        try {
            engine.admin().forceExpire(name, "test").orElseThrow();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private long count(String collection) {
        return mongo.getCollection(collection).countDocuments();
    }

    @Test
    void gatedMethodCommitsWhatRepositoriesAndTemplatesWrite() {
        shop.gated("one", () -> {});

        assertThat(count("invoice")).isEqualTo(1);
        assertThat(count("others")).isEqualTo(1);
    }

    @Test
    void gatedMethodThatLostItsLeaseCommitsNothingAndThrowsTheRefusalItself() {
        AtomicInteger runs = new AtomicInteger();
        Runnable loseOnce = () -> {
            if (runs.incrementAndGet() == 1) {
                forceExpire("invoices");
            }
        };

        assertThatThrownBy(() -> shop.gated("one", loseOnce)).isExactlyInstanceOf(LeaseNotHeldException.class);

        assertThat(runs)
                .as("after the conflict with the end of the tenure it was run again")
                .hasValue(2);

        assertThat(count("invoice")).isZero();
        assertThat(count("others")).isZero();
    }

    @Test
    @DisplayName("A gated transaction whose abort was lost is ended all the same")
    void aLostAbortBlocksNothing(TestDatabase database) throws InterruptedException {
        try (Lease lease = engine.acquire("by-hand")) {
            database.activate(FailPoint.failCommands("abortTransaction")
                    .closingConnection()
                    .times(2)
                    .forAppName(database.name()));
            assertThatThrownBy(() -> shop.failingAfterAWriteToTheLease(lease)).hasMessage("the body failed");

            // By itself the server ends it after a minute at the earliest.
            assertThat(mongo.getCollection("leases")
                            .withTimeout(40, TimeUnit.SECONDS)
                            .updateOne(
                                    Shop.isOf(lease).getCriteriaObject(),
                                    new Document("$inc", new Document("gates", 1L)))
                            .getMatchedCount())
                    .isEqualTo(1);
        }
    }

    @Test
    void checkedExceptionEndsTheTransactionWithoutACommit() {
        assertThatThrownBy(() -> shop.gatedFailing("one"))
                .isExactlyInstanceOf(IOException.class)
                .hasMessage("disk full");

        assertThat(count("invoice")).isZero();
    }

    @Test
    void transactionalMethodIsGatedByTheManager() throws InterruptedException {
        try (Lease lease = engine.acquire("by-hand")) {
            shop.bound(lease, "one", () -> {});
            assertThatThrownBy(() -> shop.bound(lease, "two", () -> forceExpire("by-hand")))
                    .isExactlyInstanceOf(GatedTransactionException.class);
        }
        assertThat(mongo.findAll(Invoice.class)).extracting(Invoice::id).containsExactly("one");
    }

    @Test
    @DisplayName("A transaction that its lease refuses is reported to its synchronizations as rolled back")
    void refusedTransactionIsReportedAsRolledBack() throws InterruptedException {
        List<String> reports = new ArrayList<>();
        try (Lease lease = engine.acquire("by-hand")) {
            forceExpire("by-hand");
            assertThatThrownBy(() -> shop.bound(
                            lease,
                            "one",
                            () -> TransactionSynchronizationManager.registerSynchronization(
                                    new TransactionSynchronization() {
                                        @Override
                                        public void beforeCompletion() {
                                            reports.add("completing");
                                        }

                                        @Override
                                        public void afterCompletion(int status) {
                                            reports.add(status == STATUS_ROLLED_BACK ? "rolled back" : "" + status);
                                        }
                                    })))
                    .isExactlyInstanceOf(GatedTransactionException.class);
        }
        assertThat(reports).containsExactly("completing", "rolled back");
    }

    @Test
    @DisplayName("An interrupt before a run of the work, the first or a later one, ends it, is told, and stays set")
    void interruptIsTold() throws InterruptedException {
        MongoException conflict = new MongoException("conflict");
        conflict.addLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL);
        try (Lease lease = engine.acquire("by-hand")) {
            Thread.currentThread().interrupt();
            isInterrupted(() -> transactions.callOnce(engine, lease, "one", () -> null));
            isInterrupted(() -> transactions.run(lease, () -> {
                Thread.currentThread().interrupt();
                throw conflict;
            }));
        }
    }

    private static void isInterrupted(ThrowingCallable call) {
        Throwable thrown = catchThrowable(call);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(thrown)
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("interrupted", "'by-hand'");
    }

    @Test
    @DisplayName("A retry time that a policy takes for no limit is refused")
    void shortRetryTimeIsRefused() {
        LeaseTransactionManager manager = application.getBean(LeaseTransactionManager.class);
        assertThatThrownBy(() -> new GatedTransactions(manager, Duration.ofNanos(500_000)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("retryTime PT0.0005S is refused: it must be zero, or 1 ms to 36500 days");
    }

    @Test
    void innerTransactionOfItsOwnIsNotGatedAndTheOuterOneIs() throws InterruptedException {
        try (Lease lease = engine.acquire("by-hand")) {
            forceExpire("by-hand");
            assertThatThrownBy(() -> shop.suspending(lease, "one", shop))
                    .isExactlyInstanceOf(GatedTransactionException.class)
                    .hasCauseExactlyInstanceOf(LeaseNotHeldException.class);
        }
        assertThat(mongo.findAll(Invoice.class)).extracting(Invoice::id).containsExactly("one-new");
    }

    @Test
    void gateThatIsAskedForBeforeTheCommitIsChecked() throws InterruptedException {
        try (Lease lease = engine.acquire("by-hand")) {
            shop.gatedBeforeTheCommit(lease, "one");
            forceExpire("by-hand");
            assertThatThrownBy(() -> shop.gatedBeforeTheCommit(lease, "two"))
                    .isExactlyInstanceOf(GatedTransactionException.class);
        }
        assertThat(mongo.findAll(Invoice.class)).extracting(Invoice::id).containsExactlyInAnyOrder("one", "one-audit");
    }

    @Test
    void gateThatIsAskedForAfterTheCheckIsRefused() throws InterruptedException {
        try (Lease first = engine.acquire("by-hand");
                Lease second = engine.acquire("too-late")) {
            shop.gatedAfterTheCheck(first, second, "one");
        }
        assertThat(target().lateGate)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("too-late")
                .hasMessageContaining("is being committed");
    }

    private Shop target() {
        return (Shop) Objects.requireNonNull(AopProxyUtils.getSingletonTarget(shop));
    }

    @Test
    void lossAfterTheTransactionBeganIsTheSameExceptionAsOneBefore() throws InterruptedException {
        try (Lease lease = engine.acquire("by-hand")) {
            assertThatThrownBy(() -> shop.lostInTheMiddle(lease, "one", () -> forceExpire("by-hand")))
                    .isExactlyInstanceOf(GatedTransactionException.class)
                    .hasMessageContaining("by-hand");
        }
        assertThat(count("invoice")).isZero();
    }

    @Import(WithShop.class)
    static class WithListenedCommits {
        @Bean
        MongoClientSettingsBuilderCustomizer listened(List<BsonDocument> commits) {
            return settings -> settings.addCommandListener(new CommandListener() {
                @Override
                public void commandStarted(CommandStartedEvent event) {
                    if (event.getCommandName().equals("commitTransaction")) {
                        commits.add(event.getCommand().clone());
                    }
                }
            });
        }

        @Bean
        List<BsonDocument> commits() {
            return new CopyOnWriteArrayList<>();
        }
    }

    @Test
    @SuppressWarnings("unchecked")
    void transactionsCommitWithMajorityAndReadFromThePrimaryWhateverTheClientDoes(TestDatabase database)
            throws InterruptedException {
        String weak = database.uri() + "&w=1&readPreference=secondary";
        try (ConfigurableApplicationContext other =
                        Application.start(database, WithListenedCommits.class, "spring.mongodb.uri=" + weak);
                Lease lease = other.getBean(LeaseEngine.class).acquire("by-hand")) {
            List<BsonDocument> commits = (List<BsonDocument>) other.getBean("commits");
            commits.clear();

            other.getBean(Shop.class).boundAndReading(lease, "one");

            assertThat(commits)
                    .extracting(commit -> commit.getDocument("writeConcern").get("w"))
                    .containsExactly(new BsonString("majority"));
        }
        assertThat(count("invoice")).isEqualTo(1);
    }

    @Test
    void transactionWithAWeakerWriteConcernCannotBeGated() throws InterruptedException {
        try (Lease lease = engine.acquire("by-hand")) {
            assertThatThrownBy(() -> shop.gatedWithAWeakerWriteConcern(lease))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("by-hand")
                    .hasMessageContaining("majority");
        }
    }

    @Test
    void whatIsMissingIsNamed() throws InterruptedException {
        try (Lease lease = engine.acquire("by-hand")) {
            assertThatThrownBy(() -> transactions.run(null, () -> {})).hasMessage("lease");
            assertThatThrownBy(() -> transactions.run(lease, null)).hasMessage("work");
        }
        assertThatThrownBy(() -> new GatedTransactions(target().manager, Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT-1S");
    }

    @Test
    void gatingWithoutATransactionIsAnError() throws InterruptedException {
        try (Lease lease = engine.acquire("by-hand")) {
            assertThatThrownBy(() -> shop.gateWithoutTransaction(lease))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("by-hand")
                    .hasMessageContaining("@Transactional");
        }
    }

    @Test
    void gatedMethodInsideOfATransactionIsAnError() {
        assertThatThrownBy(() -> shop.gatedInside(shop))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("inside of a transaction");
        assertThat(count("invoice")).isZero();
    }

    @Test
    void trapWriteInASessionOfOnesOwnIsNotPartOfTheGatedTransaction() throws InterruptedException {
        try (Lease lease = engine.acquire("by-hand")) {
            assertThatThrownBy(() -> shop.inOwnSession(lease, "one", () -> forceExpire("by-hand")))
                    .isExactlyInstanceOf(GatedTransactionException.class)
                    .hasCauseExactlyInstanceOf(LeaseNotHeldException.class);
        }
        assertThat(count("own")).as("written ungated").isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4})
    void fourThreadsWithFortyGatedCallsOnOneLeaseSucceedFortyTimes(int stripes) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (Lease lease = engine.acquire(LeaseRequest.of("counted").gateStripes(stripes))) {
            List<Future<?>> done = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                String id = "call-" + i;
                done.add(threads.submit(() ->
                        transactions.run(lease, () -> mongo.insert(new Document("_id", id), "counter"))));
            }
            for (Future<?> each : done) {
                each.get();
            }
            assertThat(count("counter")).isEqualTo(40);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void trapRetryInsideOfTheTransactionCannotSucceed() throws InterruptedException {
        try (Lease lease = engine.acquire("by-hand")) {
            assertThatThrownBy(() -> shop.bound(lease, "one", () -> {
                        mongo.insert(new Document("_id", "conflict"), "others");
                        outside("conflict-2");
                        for (int attempt = 0; attempt < 3; attempt++) {
                            assertThatThrownBy(() -> mongo.insert(new Document("_id", "conflict-2"), "others"))
                                    .isInstanceOf(RuntimeException.class);
                        }
                    }))
                    .isInstanceOf(RuntimeException.class);
        }
        assertThat(count("invoice")).isZero();
        assertThat(mongo.findAll(Document.class, "others"))
                .extracting(each -> each.get("_id"))
                .containsExactly("conflict-2");
    }

    /** Another client writes what the transaction is about to write. */
    private void outside(String id) {
        CompletableFuture.runAsync(() -> mongo.getCollection("others").insertOne(new Document("_id", id)))
                .join();
    }

    static class WithAManagerOfItsOwn extends WithGated {
        @Bean
        MongoTransactionManager transactionManager(MongoDatabaseFactory factory) {
            return new MongoTransactionManager(factory);
        }
    }

    static class WithGated {
        @Bean
        Gated gated(MongoTemplate mongo, LeaseTransactionManager manager) {
            return new Gated(mongo, manager);
        }
    }

    static class Gated {
        private final MongoTemplate mongo;
        private final LeaseTransactionManager manager;

        Gated(MongoTemplate mongo, LeaseTransactionManager manager) {
            this.mongo = mongo;
            this.manager = manager;
        }

        @Leased(name = "invoices", gated = true, shared = true)
        public void run(Runnable between) {
            mongo.insert(new Document("_id", "one"), "others");
            between.run();
        }

        @Transactional
        public void gate(Lease lease) {
            manager.gate(lease);
        }

        @Transactional("leaseTransactionManager")
        public void gateByName(Lease lease) {
            mongo.insert(new Document("_id", "two"), "others");
            manager.gate(lease);
        }
    }

    @Test
    void besideATransactionManagerOfTheApplicationGatedMethodsAreGatedAndItsOwnTransactionsCannotBe(
            TestDatabase database) throws InterruptedException {
        try (ConfigurableApplicationContext other = Application.start(database, WithAManagerOfItsOwn.class)) {
            Gated gated = other.getBean(Gated.class);
            AtomicInteger runs = new AtomicInteger();
            Runnable loseOnce = () -> {
                if (runs.incrementAndGet() == 1) {
                    forceExpire("invoices");
                }
            };
            assertThatThrownBy(() -> gated.run(loseOnce)).isExactlyInstanceOf(LeaseNotHeldException.class);
            assertThat(count("others")).isZero();
            gated.run(() -> {});
            assertThat(count("others")).isEqualTo(1);

            try (Lease lease = other.getBean(LeaseEngine.class).acquire("by-hand")) {
                assertThatThrownBy(() -> gated.gate(lease))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("no transaction of the LeaseTransactionManager");
                gated.gateByName(lease);
                forceExpire("by-hand");
                mongo.remove(new Query(), "others");
                assertThatThrownBy(() -> gated.gateByName(lease)).isExactlyInstanceOf(GatedTransactionException.class);
            }
        }
    }
}
