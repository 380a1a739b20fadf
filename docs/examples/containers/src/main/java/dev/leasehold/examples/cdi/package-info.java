/** An engine in an application with CDI, as of Quarkus, Open Liberty, WildFly or Helidon. */
@NullMarked
package dev.leasehold.examples.cdi;

import org.jspecify.annotations.NullMarked;
