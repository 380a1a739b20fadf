/** An application that has the engine, and no Micrometer. */
package dev.leasehold.withoutmicrometer;
