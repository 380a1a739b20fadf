package dev.leasehold.spring;

import dev.leasehold.engine.LeaseEngine;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizers;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Fallback;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoTransactionManager;
import org.springframework.transaction.TransactionManager;

/**
 * Transactions of Spring Data MongoDB that commit only under a lease. It comes after all that may define a transaction manager: with the
 * starter beside them those of JDBC, JPA, JTA and the like stay what they are without it.
 */
@AutoConfiguration(
        after = LeaseholdAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration",
            "org.springframework.boot.data.neo4j.autoconfigure.DataNeo4jAutoConfiguration",
            "org.springframework.boot.data.neo4j.autoconfigure.DataNeo4jReactiveAutoConfiguration",
            "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
            "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration",
            "org.springframework.boot.pulsar.autoconfigure.PulsarAutoConfiguration",
            "org.springframework.boot.r2dbc.autoconfigure.R2dbcTransactionManagerAutoConfiguration",
            "org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration",
            "org.springframework.boot.transaction.jta.autoconfigure.JtaAutoConfiguration"
        },
        beforeName = "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration")
@ConditionalOnClass(MongoTransactionManager.class)
@ConditionalOnBean(LeaseEngine.class)
class GatedTransactionsAutoConfiguration {

    static final String NAME = "leaseTransactionManager";

    private static LeaseTransactionManager manager(
            MongoDatabaseFactory databaseFactory, ObjectProvider<TransactionManagerCustomizers> customizers) {
        LeaseTransactionManager manager = new LeaseTransactionManager(databaseFactory);
        customizers.ifAvailable(each -> each.customize(manager));
        return manager;
    }

    /** The application's transaction manager, if it has no other. */
    @Bean({"transactionManager", NAME})
    @ConditionalOnSingleCandidate(MongoDatabaseFactory.class)
    @ConditionalOnMissingBean(TransactionManager.class)
    LeaseTransactionManager transactionManager(
            MongoDatabaseFactory databaseFactory, ObjectProvider<TransactionManagerCustomizers> customizers) {
        return manager(databaseFactory, customizers);
    }

    /** Beside others it is taken by its name or its type alone: wherever any transaction manager fits, it is one of the others. */
    @Bean(NAME)
    @Fallback
    @ConditionalOnSingleCandidate(MongoDatabaseFactory.class)
    @ConditionalOnMissingBean
    LeaseTransactionManager leaseTransactionManager(
            MongoDatabaseFactory databaseFactory, ObjectProvider<TransactionManagerCustomizers> customizers) {
        return manager(databaseFactory, customizers);
    }

    @Bean(LeaseholdAutoConfiguration.GATED_TRANSACTIONS)
    @ConditionalOnBean(LeaseTransactionManager.class)
    @ConditionalOnMissingBean
    GatedTransactions leaseGatedTransactions(LeaseTransactionManager manager, LeaseholdProperties properties) {
        return new GatedTransactions(manager, properties.gated().retryTime());
    }
}
