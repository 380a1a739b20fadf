/** An application that has the engine on its class path, and no Micrometer. */
package dev.leasehold.withoutmicrometer;
