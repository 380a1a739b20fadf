package dev.leasehold.spring;

import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.SimpleAsyncTaskScheduler;

/** Runs the engine's housekeeping now and then. Every process may do it: what one has removed the others do not find. */
final class HousekeepingSchedule implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(HousekeepingSchedule.class);

    private final LeaseEngine engine;
    private final Duration period;
    private final boolean virtualThreads;
    private volatile @Nullable SimpleAsyncTaskScheduler scheduler;

    HousekeepingSchedule(LeaseEngine engine, Duration period, boolean virtualThreads) {
        this.engine = engine;
        this.period = period;
        this.virtualThreads = virtualThreads;
    }

    @Override
    public void start() {
        SimpleAsyncTaskScheduler started = new SimpleAsyncTaskScheduler();
        started.setThreadNamePrefix("leasehold-housekeeping-");
        started.setVirtualThreads(virtualThreads);
        started.scheduleWithFixedDelay(this::run, Instant.now().plus(period), period);
        scheduler = started;
    }

    private void run() {
        try {
            LOG.debug("housekeeping: {}", engine.housekeeping());
        } catch (LeaseException e) {
            LOG.warn("housekeeping failed, the next one is in {}: {}", period, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void stop() {
        SimpleAsyncTaskScheduler running = scheduler;
        if (running != null) {
            running.close();
            scheduler = null;
        }
    }

    @Override
    public boolean isRunning() {
        return scheduler != null;
    }
}
