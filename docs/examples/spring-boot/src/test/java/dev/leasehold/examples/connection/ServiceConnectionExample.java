package dev.leasehold.examples.connection;

import dev.leasehold.spring.test.ReplicaSetContainer;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

// example:start connection
@Configuration(proxyBeanMethods = false)
class ServiceConnectionExample {

    @Bean
    @ServiceConnection
    ReplicaSetContainer replicaSet() {
        return new ReplicaSetContainer(); // needs no Docker: a fresh database on a set that all tests share
    }
}
// example:end connection
