package dev.leasehold.spring;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.annotation.TransactionManagementConfigurer;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.interceptor.TransactionAttributeSource;

/**
 * Whether a gated method has a transaction of its own, by {@code @Transactional}, that leaves the gated one: what it writes there would be
 * committed whether the lease is held or not. Or whether it is always called inside of another one. Loaded only where Spring Data MongoDB is
 * there.
 */
final class GateLeavingCheck {

    private static final List<Integer> LEAVING = List.of(
            TransactionDefinition.PROPAGATION_REQUIRES_NEW,
            TransactionDefinition.PROPAGATION_NOT_SUPPORTED,
            TransactionDefinition.PROPAGATION_NEVER,
            TransactionDefinition.PROPAGATION_NESTED);

    private final ListableBeanFactory beans;

    GateLeavingCheck(ListableBeanFactory beans) {
        this.beans = beans;
    }

    /** Finds the manager of an annotation as the advice of {@code @Transactional} does. */
    private static final class Managers extends TransactionAspectSupport {

        Managers(BeanFactory beans, @Nullable TransactionManagementConfigurer configurer) {
            setBeanFactory(beans);
            if (configurer != null) {
                setTransactionManager(configurer.annotationDrivenTransactionManager());
            }
        }

        @Nullable TransactionManager of(TransactionAttribute attribute, Class<?> type) {
            return determineTransactionManager(attribute, type);
        }
    }

    /** @throws IllegalArgumentException if the method's own transaction would not be gated, or could not begin */
    void check(String gating, Class<?> type, Method method) {
        checkListener(gating, type, method);
        for (TransactionAttributeSource source : beans.getBeansOfType(TransactionAttributeSource.class, true, false)
                .values()) {
            TransactionAttribute attribute = source.getTransactionAttribute(method, type);
            if (attribute != null) {
                check(gating, attribute, type);
            }
        }
    }

    /** The transaction of an event is active in each phase, also when it is committed, and what a listener throws then is only logged. */
    private static void checkListener(String gating, Class<?> type, Method method) {
        TransactionalEventListener listener =
                AnnotatedElementUtils.findMergedAnnotation(method, TransactionalEventListener.class);
        if (listener != null
                && !listener.fallbackExecution()
                && !AnnotatedElementUtils.hasAnnotation(method, Async.class)
                && !AnnotatedElementUtils.hasAnnotation(type, Async.class)) {
            throw new IllegalArgumentException(gating
                    + " is refused: @TransactionalEventListener calls the method in the transaction of the event, which began before the"
                    + " lease is acquired, so each call would fail. Make it @Async as well");
        }
    }

    private void check(String gating, TransactionAttribute attribute, Class<?> type) {
        if (LEAVING.contains(attribute.getPropagationBehavior())) {
            throw new IllegalArgumentException(gating
                    + " is refused: @Transactional of the method leaves the gated transaction, by its propagation, so it would commit"
                    + " without the lease. Remove it: a gated method is a transaction already");
        }
        TransactionManager manager = manager(attribute, type);
        if (manager != null && !(manager instanceof LeaseTransactionManager)) {
            throw new IllegalArgumentException(gating + " is refused: @Transactional of the method is that of a "
                    + manager.getClass().getName()
                    + ", whose transaction commits without the lease. Remove it, or write @Transactional(\""
                    + GatedTransactionsAutoConfiguration.NAME + "\")");
        }
    }

    /** Null where each call will be refused, since there are several and none is said. */
    private @Nullable TransactionManager manager(TransactionAttribute attribute, Class<?> type) {
        try {
            return new Managers(
                            Objects.requireNonNull(beans),
                            beans.getBeanProvider(TransactionManagementConfigurer.class)
                                    .getIfUnique())
                    .of(attribute, type);
        } catch (BeansException | IllegalStateException e) {
            return null;
        }
    }
}
