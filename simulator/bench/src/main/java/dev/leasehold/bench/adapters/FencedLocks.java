package dev.leasehold.bench.adapters;

import com.mongodb.client.MongoClient;
import dk.cloudcreate.essentials.components.distributed.fencedlock.springdata.mongo.MongoFencedLockManager;
import dk.cloudcreate.essentials.components.foundation.fencedlock.LockCallback;
import dk.cloudcreate.essentials.components.foundation.fencedlock.LockName;
import dk.cloudcreate.essentials.components.foundation.transaction.spring.mongo.SpringMongoTransactionAwareUnitOfWorkFactory;
import dk.cloudcreate.essentials.types.springdata.mongo.SingleValueTypeConverter;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoTransactionManager;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;
import org.springframework.data.mongodb.core.convert.DefaultDbRefResolver;
import org.springframework.data.mongodb.core.convert.MappingMongoConverter;
import org.springframework.data.mongodb.core.convert.MongoCustomConversions;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;

/** Fenced locks of Essentials. Its blocking way to acquire does not return for a name that is held, so it is asked to call back. */
final class FencedLocks implements Locks {

    private static final int INTERVALS = 3;
    private static final Duration LONGEST_INTERVAL = Duration.ofSeconds(1);

    private final MongoClient client;
    private final MongoFencedLockManager manager;

    /** Asks for locks that others hold once a second, or more often. */
    static FencedLocks forWaiters(Access access, String namespace, Duration length) {
        Duration third = length.dividedBy(INTERVALS);
        return new FencedLocks(
                access, namespace, length, third.compareTo(LONGEST_INTERVAL) < 0 ? third : LONGEST_INTERVAL);
    }

    /** Confirms what it holds as seldom as the others do. */
    static FencedLocks forHolders(Access access, String namespace, Duration length) {
        return new FencedLocks(access, namespace, length, length.dividedBy(INTERVALS));
    }

    private FencedLocks(Access access, String namespace, Duration length, Duration interval) {
        this.client = access.newClient();
        MongoDatabaseFactory factory = new SimpleMongoClientDatabaseFactory(client, access.database());
        this.manager = MongoFencedLockManager.builder()
                .setMongoTemplate(new MongoTemplate(factory, converter(factory)))
                .setUnitOfWorkFactory(
                        new SpringMongoTransactionAwareUnitOfWorkFactory(new MongoTransactionManager(factory), factory))
                .setLockManagerInstanceId(UUID.randomUUID().toString())
                .setFencedLocksCollectionName("fenced_" + namespace.replace('-', '_'))
                .setLockTimeOut(length)
                .setLockConfirmationInterval(interval)
                .buildAndStart();
    }

    private static MappingMongoConverter converter(MongoDatabaseFactory factory) {
        MongoCustomConversions conversions =
                new MongoCustomConversions(List.of(new SingleValueTypeConverter(LockName.class)));
        MongoMappingContext context = new MongoMappingContext();
        context.setSimpleTypeHolder(conversions.getSimpleTypeHolder());
        context.afterPropertiesSet();
        MappingMongoConverter converter = new MappingMongoConverter(new DefaultDbRefResolver(factory), context);
        converter.setCustomConversions(conversions);
        converter.setCodecRegistryProvider(factory);
        converter.afterPropertiesSet();
        return converter;
    }

    @Override
    public Held acquire(String name) throws Exception {
        LockName lock = LockName.of(name);
        CompletableFuture<Boolean> acquired = new CompletableFuture<>();
        manager.acquireLockAsync(lock, LockCallback.lockCallback(held -> acquired.complete(true), released -> {}));
        acquired.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        // It goes on acquiring whatever is released, until it is told to stop; and that releases too.
        return () -> manager.cancelAsyncLockAcquiring(lock);
    }

    @Override
    public void close() {
        manager.stop();
        client.close();
    }
}
