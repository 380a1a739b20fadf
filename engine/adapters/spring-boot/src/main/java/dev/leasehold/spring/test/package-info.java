/** A replica set for tests of Spring Boot applications, by {@code @ServiceConnection}. */
@NullMarked
package dev.leasehold.spring.test;

import org.jspecify.annotations.NullMarked;
