package dev.leasehold.spring;

import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRefusedException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Calls the methods with {@link CatchUp#LATEST} once when the application starts, each on a thread of its own: those whose latest occurrence
 * was done are skipped by their own advice.
 */
final class CatchUpRuns implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(CatchUpRuns.class);

    private final BeanFactory beans;
    private final Supplier<LeaseEngine> engine;
    private final Executor executor;
    private final List<Run> runs = new ArrayList<>();
    private volatile boolean isRunning;

    /** A method of a bean, without arguments but for a lease. */
    private record Run(String bean, Method method) {}

    CatchUpRuns(BeanFactory beans, Supplier<LeaseEngine> engine, Executor executor) {
        this.beans = beans;
        this.engine = engine;
        this.executor = executor;
    }

    /** Before the application starts. */
    void add(String bean, Method method) {
        runs.add(new Run(bean, method));
    }

    /** At once, but for an engine that waits for its database. */
    @Override
    public void start() {
        isRunning = true;
        if (!runs.isEmpty()) {
            LateEngine.whenReady(engine.get(), ready -> runs.forEach(run -> executor.execute(() -> call(run))));
        }
    }

    private void call(Run run) {
        String place = ClassUtils.getQualifiedMethodName(run.method());
        try {
            Object bean = beans.getBean(run.bean());
            Method method = AopUtils.selectInvocableMethod(run.method(), bean.getClass());
            ReflectionUtils.makeAccessible(method);
            if (isRunning) {
                LOG.debug("{} is called for its latest occurrence, if no process did it", place);
                method.invoke(bean, new Object[method.getParameterCount()]);
            }
        } catch (InvocationTargetException e) {
            failed(place, e.getTargetException());
        } catch (IllegalAccessException | RuntimeException e) {
            failed(place, e);
        }
    }

    private void failed(String place, Throwable failure) {
        if (failure instanceof OccurrenceDoneException || failure instanceof LeaseRefusedException || !isRunning) {
            LOG.debug("{} was not run for its latest occurrence: {}", place, failure.getMessage());
        } else {
            LOG.error("{} was not run for its latest occurrence; the next call or start tries again", place, failure);
        }
    }

    @Override
    public void stop() {
        isRunning = false;
    }

    @Override
    public boolean isRunning() {
        return isRunning;
    }
}
