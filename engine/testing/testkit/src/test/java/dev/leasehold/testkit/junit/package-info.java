@org.jspecify.annotations.NullMarked
package dev.leasehold.testkit.junit;
