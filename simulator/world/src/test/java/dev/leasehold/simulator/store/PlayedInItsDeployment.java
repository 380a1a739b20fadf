package dev.leasehold.simulator.store;

import java.lang.reflect.Method;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** Leaves it to the deployment of a contract where its tests run: in a simulated world, that is a thread of that world. */
final class PlayedInItsDeployment implements InvocationInterceptor {

    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        play(invocation, method);
    }

    @Override
    public void interceptTestTemplateMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        play(invocation, method);
    }

    private static void play(Invocation<Void> invocation, ReflectiveInvocationContext<Method> method) throws Throwable {
        StoreContract contract = (StoreContract) method.getTarget().orElseThrow();
        contract.deployment.play(invocation::proceed);
    }
}
