/** Liquibase under a lease. */
@NullMarked
package dev.leasehold.examples.migration;

import org.jspecify.annotations.NullMarked;
