/** An engine in an application of Micronaut. */
@NullMarked
package dev.leasehold.examples.micronaut;

import org.jspecify.annotations.NullMarked;
