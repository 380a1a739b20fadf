/** A Spring Boot application that runs as several processes. */
@NullMarked
package dev.leasehold.examples.spring;

import org.jspecify.annotations.NullMarked;
