package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.kafka.transaction.KafkaTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.annotation.Transactional;

/** Applications that have MongoDB and something else with transactions: the starter must not take these away. */
@WithReplicaSet
class OtherTransactionManagersIT {

    static class WithGated {
        @Bean
        Gated gated(MongoTemplate mongo, LeaseEngine engine) {
            return new Gated(mongo, engine);
        }
    }

    static class Gated {
        private final MongoTemplate mongo;
        private final LeaseEngine engine;

        Gated(MongoTemplate mongo, LeaseEngine engine) {
            this.mongo = mongo;
            this.engine = engine;
        }

        @Leased(name = "invoices", gated = true)
        public void write(String id, boolean loses) throws InterruptedException {
            mongo.insert(new Document("_id", id), "gated");
            if (loses) {
                engine.admin().forceExpire("invoices", "test"); // refused when the transaction is run again
            }
        }
    }

    private static void assertGatedMethodsWork(ConfigurableApplicationContext application) throws Exception {
        Gated gated = application.getBean(Gated.class);
        gated.write("one", false);
        assertThatThrownBy(() -> gated.write("two", true)).isExactlyInstanceOf(LeaseNotHeldException.class);
        assertThat(application.getBean(MongoTemplate.class).findAll(Document.class, "gated"))
                .extracting(each -> each.get("_id"))
                .containsExactly("one");
    }

    private static ConfigurableApplicationContext start(
            TestDatabase database, Class<?> configuration, String... properties) {
        List<String> all = new ArrayList<>(List.of(
                "spring.mongodb.uri=" + database.uri(),
                "spring.mongodb.database=" + database.name(),
                "spring.datasource.url=jdbc:h2:mem:" + database.name(),
                "spring.jpa.hibernate.ddl-auto=create",
                "spring.data.jpa.repositories.enabled=false",
                "spring.application.name=shop",
                "spring.main.banner-mode=off",
                "leasehold.session-length=15s"));
        all.addAll(List.of(properties));
        return new SpringApplicationBuilder(configuration, WithGated.class)
                .web(WebApplicationType.NONE)
                .properties(all.toArray(String[]::new))
                .run();
    }

    @EnableAutoConfiguration(exclude = HibernateJpaAutoConfiguration.class)
    static class WithJdbc {
        @Bean
        Rows rows(JdbcTemplate jdbc) {
            return new Rows(jdbc);
        }
    }

    static class Rows {
        private final JdbcTemplate jdbc;

        Rows(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @Transactional
        public void insertAndFail() {
            jdbc.update("insert into numbers values (1)");
            throw new IllegalStateException("roll back");
        }

        @Transactional
        public void insert() {
            jdbc.update("insert into numbers values (2)");
        }
    }

    private static void assertSqlIsRolledBack(ConfigurableApplicationContext application) {
        JdbcTemplate jdbc = application.getBean(JdbcTemplate.class);
        jdbc.execute("create table numbers (n int)");
        Rows rows = application.getBean(Rows.class);

        assertThatThrownBy(rows::insertAndFail).hasMessage("roll back");
        rows.insert();

        assertThat(jdbc.queryForList("select n from numbers", Integer.class)).containsExactly(2);
    }

    @Test
    void transactionsOfJdbcRollBackAndGatedOnesWorkBesideThem(TestDatabase database) throws Exception {
        try (ConfigurableApplicationContext application = start(database, WithJdbc.class)) {
            assertThat(application.getBean(PlatformTransactionManager.class))
                    .isInstanceOf(JdbcTransactionManager.class);
            assertThat(application.getBean("transactionManager")).isInstanceOf(JdbcTransactionManager.class);
            assertThat(application.getBean("leaseTransactionManager")).isInstanceOf(LeaseTransactionManager.class);
            assertSqlIsRolledBack(application);
            assertGatedMethodsWork(application);
        }
    }

    @Entity(name = "numbers")
    static class Number {
        @Id
        private int n;

        protected Number() {}

        Number(int n) {
            this.n = n;
        }
    }

    @EnableAutoConfiguration
    @AutoConfigurationPackage(basePackageClasses = OtherTransactionManagersIT.class)
    static class WithJpa {
        @Bean
        Entities entities() {
            return new Entities();
        }
    }

    static class Entities {
        @PersistenceContext
        private @Nullable EntityManager entities;

        @Transactional
        public void persistAndFail() {
            persist(1);
            throw new IllegalStateException("roll back");
        }

        @Transactional
        public void persist() {
            persist(2);
        }

        private void persist(int n) {
            Objects.requireNonNull(entities).persist(new Number(n));
            Objects.requireNonNull(entities).flush();
        }
    }

    @Test
    void transactionsOfJpaCommitAndRollBackAndGatedOnesWorkBesideThem(TestDatabase database) throws Exception {
        try (ConfigurableApplicationContext application = start(database, WithJpa.class)) {
            assertThat(application.getBean(PlatformTransactionManager.class)).isInstanceOf(JpaTransactionManager.class);
            Entities entities = application.getBean(Entities.class);

            assertThatThrownBy(entities::persistAndFail).hasMessage("roll back");
            entities.persist();

            assertThat(application.getBean(JdbcTemplate.class).queryForList("select n from numbers", Integer.class))
                    .containsExactly(2);
            assertGatedMethodsWork(application);
        }
    }

    @EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
    static class WithKafka {}

    @Test
    void transactionsOfKafkaStayTheDefaultAndGatedOnesWorkBesideThem(TestDatabase database) throws Exception {
        try (ConfigurableApplicationContext application =
                start(database, WithKafka.class, "spring.kafka.producer.transaction-id-prefix=shop-")) {
            assertThat(application.getBean(TransactionManager.class)).isInstanceOf(KafkaTransactionManager.class);
            assertThat(application.getBean(LeaseTransactionManager.class)).isNotNull();
            assertGatedMethodsWork(application);
        }
    }

    static class WithJdbcFirst extends WithJdbc {
        @Bean
        @Primary
        JdbcTransactionManager sqlTransactions(javax.sql.DataSource source) {
            return new JdbcTransactionManager(source);
        }
    }

    @Test
    void transactionsOfJdbcAndKafkaAndMongoDbWorkBesideEachOther(TestDatabase database) throws Exception {
        try (ConfigurableApplicationContext application =
                start(database, WithJdbcFirst.class, "spring.kafka.producer.transaction-id-prefix=shop-")) {
            assertThat(application.getBeansOfType(TransactionManager.class).values())
                    .extracting(Object::getClass)
                    .extracting(Class::getSimpleName)
                    .containsExactlyInAnyOrder(
                            "JdbcTransactionManager", "KafkaTransactionManager", "LeaseTransactionManager");
            assertSqlIsRolledBack(application);
            assertGatedMethodsWork(application);
        }
    }

    @EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
    static class WithMongoDbAlone {}

    @Test
    void withMongoDbAloneEveryTransactionIsOneThatCanBeGated(TestDatabase database) throws Exception {
        try (ConfigurableApplicationContext application = start(database, WithMongoDbAlone.class)) {
            assertThat(application.getBean(PlatformTransactionManager.class))
                    .isInstanceOf(LeaseTransactionManager.class)
                    .isSameAs(application.getBean("transactionManager"))
                    .isSameAs(application.getBean("leaseTransactionManager"));
            assertGatedMethodsWork(application);
        }
    }
}
