package dev.leasehold.spring.test;

import com.mongodb.ConnectionString;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.mongodb.autoconfigure.MongoConnectionDetails;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;

/** Connects the application's client to a {@link ReplicaSetContainer}. */
class ReplicaSetConnectionDetailsFactory
        extends ContainerConnectionDetailsFactory<ReplicaSetContainer, MongoConnectionDetails> {

    @Override
    protected MongoConnectionDetails getContainerConnectionDetails(
            ContainerConnectionSource<ReplicaSetContainer> source) {
        return new ReplicaSetConnectionDetails(source);
    }

    private static final class ReplicaSetConnectionDetails extends ContainerConnectionDetails<ReplicaSetContainer>
            implements MongoConnectionDetails {

        ReplicaSetConnectionDetails(ContainerConnectionSource<ReplicaSetContainer> source) {
            super(source);
        }

        @Override
        public ConnectionString getConnectionString() {
            return new ConnectionString(getContainer().connectionString());
        }

        @Override
        public @Nullable SslBundle getSslBundle() {
            return null;
        }
    }
}
