package dev.leasehold.spring;

import dev.leasehold.engine.LeaseEngine;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoTransactionManager;
import org.springframework.transaction.TransactionManager;

/** Transactions of Spring Data MongoDB that commit only under a lease. */
@AutoConfiguration(
        after = LeaseholdAutoConfiguration.class,
        afterName = "org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration",
        beforeName = {
            "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration",
            "org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration"
        })
@ConditionalOnClass(MongoTransactionManager.class)
@ConditionalOnBean(LeaseEngine.class)
class GatedTransactionsAutoConfiguration {

    /** The application's transaction manager, unless it defines one. */
    @Bean
    @ConditionalOnSingleCandidate(MongoDatabaseFactory.class)
    @ConditionalOnMissingBean(TransactionManager.class)
    LeaseTransactionManager transactionManager(MongoDatabaseFactory databaseFactory) {
        return new LeaseTransactionManager(databaseFactory);
    }

    @Bean(LeaseholdAutoConfiguration.GATED_TRANSACTIONS)
    @ConditionalOnBean(LeaseTransactionManager.class)
    @ConditionalOnMissingBean
    GatedTransactions leaseGatedTransactions(LeaseTransactionManager manager, LeaseholdProperties properties) {
        return new GatedTransactions(manager, properties.gated().retryTime());
    }
}
