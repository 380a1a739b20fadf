/** An application of Quarkus with an engine. */
@NullMarked
package dev.leasehold.examples.quarkus;

import org.jspecify.annotations.NullMarked;
