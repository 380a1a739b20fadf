package dev.leasehold.spring;

import com.mongodb.MongoClientSettings;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.mongodb.autoconfigure.MongoClientSettingsBuilderCustomizer;
import org.springframework.boot.mongodb.autoconfigure.MongoConnectionDetails;
import org.springframework.core.Ordered;

/** Looks at the settings of the client that Boot makes, behind all others that change them. */
final class ClientTimeouts implements MongoClientSettingsBuilderCustomizer, Ordered {

    private static final Logger LOG = LoggerFactory.getLogger(ClientTimeouts.class);

    /** What Boot makes of a container that it starts for tests or for development, which says nothing of the client in production. */
    private static final List<String> OF_CONTAINERS =
            List.of("org.springframework.boot.testcontainers.", "org.springframework.boot.docker.compose.");

    private final ObjectProvider<MongoConnectionDetails> connection;
    private volatile @Nullable MongoClientSettings seen;

    ClientTimeouts(ObjectProvider<MongoConnectionDetails> connection) {
        this.connection = connection;
    }

    @Override
    public void customize(MongoClientSettings.Builder builder) {
        seen = builder.build();
    }

    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    /** To the driver, a socket timeout of 0 is none. A {@code timeoutMS} of 0 has the engine's own limits hold on the network too. */
    void warnIfMissing() {
        MongoClientSettings settings = seen;
        if (settings != null
                && settings.getSocketSettings().getReadTimeout(TimeUnit.MILLISECONDS) == 0
                && settings.getTimeout(TimeUnit.MILLISECONDS) == null
                && connection.stream().noneMatch(ClientTimeouts::isOfContainer)) {
            LOG.warn("the application's MongoClient has neither socketTimeoutMS nor timeoutMS: without one of them an"
                    + " engine waits forever for a server that is frozen, and loses its leases although there is a new"
                    + " primary. Set one in its URI, or by a MongoClientSettingsBuilderCustomizer");
        }
    }

    private static boolean isOfContainer(MongoConnectionDetails details) {
        return Stream.<Class<?>>iterate(details.getClass(), Objects::nonNull, Class::getSuperclass)
                .anyMatch(type -> OF_CONTAINERS.stream().anyMatch(type.getName()::startsWith));
    }
}
