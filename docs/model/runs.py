# The runs of check.py: name, module, constants, planted faults, what must break ("" = nothing), invariants.
OPS = {'"claim"', '"expire"', '"take"', '"extend"', '"release"'}

def lease(name, mut, expect, w="ab", durs=(1, 2), lo=1, hi=2, unit=1, offs=(1,), acc=7, ver=3, sleep=0, crash=0, looks=False, ops=OPS):
    run("lease/" + name, "Lease", dict(W=set(w), H={"h", "g"}, Durs=set(durs), Lo=lo, Hi=hi, Unit=unit, Offs=set(offs),
        MaxAcc=acc, MaxVer=ver, MaxSleep=sleep, MaxCrash=crash, Looks=looks, Ops=ops), mut, expect, "G3 G4 G5 Promise Mutex")

lease("drift", [], "", durs=(3,), ops={'"take"', '"extend"'})
lease("allops", [], "", acc=4)
lease("phase", [], "", lo=1, hi=1, unit=2, offs=(2, 3), acc=9, ops={'"take"', '"extend"'})
TE = {'"take"', '"extend"'}
lease("sleep", [], "", lo=1, hi=1, acc=3, sleep=3, ops=TE)
lease("crash", [], "", acc=4, crash=1, durs=(1,))
lease("three", [], "", w="abc", acc=4, durs=(1,), ops=TE)
lease("looks", [], "", acc=4, looks=True, ops=TE)
lease("looks-drift", [], "", durs=(3,), acc=5, looks=True, ops=TE)
lease("looks-sleep", [], "", lo=1, hi=1, acc=3, sleep=2, looks=True, ops=TE)
lease("looks-crash", [], "", acc=4, crash=1, durs=(1,), looks=True, ops=TE)
lease("m-sight-older-than-the-write", ["OldSight"], "Promise|Mutex|G3", lo=1, hi=1, acc=5, sleep=2, looks=True, ops=TE)
lease("m-sight-of-an-older-incarnation", ["OldIncarnation"], "Promise|Mutex|G3", w="abc", lo=1, hi=1, offs=(1, 4), acc=8, looks=True, ops={'"take"'})
lease("m-sight-of-a-read-that-went-back", ["BackSight"], "Promise|Mutex|G3", lo=1, hi=1, offs=(2,), acc=6, looks=True, ops={'"take"'})
lease("m-earliest", ["Earliest"], "Promise|Mutex|G3", lo=1, hi=1, durs=(3,), ops=TE)
lease("m-bound-from-RA", ["RA"], "Promise|Mutex|G3", lo=1, hi=1, ops=TE)
lease("m-no-drift", ["NoDrift"], "Promise|Mutex|G3", durs=(3,), ops=TE)
lease("m-ge", ["GE"], "Promise|Mutex|G3", lo=1, hi=1, unit=2, offs=(2, 3), acc=9, ops=TE)
lease("m-belief-le", ["BeliefLE"], "Promise|Mutex|G3", lo=1, hi=1, unit=2, offs=(2, 3), acc=9, ops=TE)
# PadSafe (pad = safe after, not + 1) needs three engines and three parts a unit, which is beyond TLC here: see README.md, "By hand".
lease("m-pad-none", ["PadNone"], "Promise|Mutex|G3", lo=1, hi=1, durs=(1, 3), ops=TE)
lease("m-pad-no-drift", ["PadNoDrift"], "Promise|Mutex|G3", durs=(1, 4), acc=7, ops=TE)
lease("m-old-observation", ["OldObs"], "Promise|Mutex|G3", lo=1, hi=1, acc=5, sleep=2, ops=TE)
lease("m-quick-by-monotonic-only", ["QuickMono"], "Promise|Mutex|G3", lo=1, hi=1, acc=5, sleep=3, ops=TE)
lease("m-belief-by-monotonic-only", ["MonoOnly"], "Promise|Mutex|G3", lo=1, hi=1, acc=5, sleep=3, ops=TE)
lease("m-belief-from-reply", ["FromReply"], "Promise|Mutex|G3", lo=1, hi=1, ops=TE)
lease("m-claim-without-version", ["NoVer"], "G5|Promise|Mutex", acc=2, ver=4, ops={'"claim"', '"release"'})
lease("m-extend-keeps-writer", ["KeepWriter"], "Promise|Mutex|G3", lo=1, hi=1, offs=(1, 5), acc=8, ops=TE)
lease("m-release-by-another", ["RelOther"], "Promise|Mutex", acc=4)

SOPS = {'"evict"', '"release"', '"close"'}
def session(name, mut, expect, w="ab", joined="ab", s=2, lo=1, hi=2, unit=1, offs=(1,), acc=8, ver=2, hb=2, ghost=False, ops=SOPS):
    run("session/" + name, "Session", dict(W=set(w), S=s, Lo=lo, Hi=hi, Unit=unit, Offs=set(offs), MaxAcc=acc, MaxVer=ver,
        MaxHb=hb, Ghost=ghost, Joined=set(joined), Ops=ops), mut, expect, "Mutex Backed NotEvicted")

EV = {'"evict"'}
JN = dict(joined="", lo=1, hi=1, s=1, ops=EV, hb=1)          # both must join first; the lease is vacant
# "Alone" is no fault: a vacant session lease is claimed, and released, by one guarded write of the lease without the clock
session("alone", ["Alone"], "", s=1, acc=4, hb=1)
session("alone-drift", ["Alone"], "", s=1, acc=5, hb=1, ops=EV | {'"release"'})
session("alone-m-by-version", ["Alone", "TakeByVersion"], "NotEvicted|Backed|Mutex", ops=EV)
session("drift", [], "", acc=6, hb=1, ops=EV)
session("two-beats", [], "", s=1, acc=5, hb=2, ops=EV)
session("allops", [], "", s=1, lo=1, hi=1, acc=3, hb=1)
session("phase", [], "", s=1, lo=1, hi=1, unit=2, offs=(2, 3), acc=8, hb=1, ops=EV)
session("joining", [], "", acc=3, **JN)
session("ghost-join", [], "", ghost=True, s=1, lo=1, hi=1, offs=(2,), acc=6, hb=1, ops=EV)
session("guarded-any-order", ["AnyOrder"], "", acc=3, **JN)
session("ordered-not-guarded", ["NoAbsent"], "", acc=3, **JN)
session("m-any-order-not-guarded", ["AnyOrder", "NoAbsent"], "Mutex|Backed", acc=2, **JN)
session("m-ghost-join-no-floor", ["NoFloor"], "Mutex|Backed", ghost=True, s=1, lo=1, hi=1, offs=(2,), acc=6, hb=1, ops=EV)
session("m-no-drift", ["NoDrift"], "NotEvicted|Mutex|Backed", s=3, acc=6, hb=1, ops=EV)
session("m-ge", ["GE"], "NotEvicted|Mutex|Backed", s=2, lo=1, hi=1, unit=2, offs=(2, 3), acc=9, hb=1, ops=EV)
F = dict(s=1, lo=1, hi=1, acc=5, hb=1, ops=EV)
session("m-sight-of-an-older-stamp", ["OldSight"], "NotEvicted|Mutex|Backed", **F)
session("m-sight-of-a-read-that-went-back", ["BackSight"], "NotEvicted|Mutex|Backed", **dict(F, offs=(2,), acc=6))
session("m-beat-upserts", ["Upsert"], "NotEvicted|Mutex|Backed", **F)
session("m-beat-count-ignored", ["AnyCount"], "NotEvicted|Mutex|Backed", **F)
session("m-evict-without-guard", ["EvictBlind"], "NotEvicted|Mutex|Backed", **F)
session("m-prune-without-waiting", ["Prune"], "NotEvicted|Mutex|Backed", **F)
session("m-taken-by-version-alone", ["TakeByVersion"], "Mutex|Backed", **F)
session("m-belief-from-reply", ["FromReply"], "NotEvicted|Mutex|Backed", **F)
session("m-clock-miss-ignored", ["Unmatched"], "NotEvicted|Mutex|Backed", **F)
session("m-close-believes-on", ["CloseLate"], "NotEvicted|Mutex|Backed", s=2, acc=3, lo=1, hi=1)
session("m-released-by-another", ["ForeignRelease"], "Mutex|Backed", s=2, acc=3, lo=1, hi=1, ver=3)

GOPS = {'"claim"', '"take"', '"extend"', '"release"', '"remove"'}
def gate(name, mut, expect, e=2, c=1, k=0, ten=3, seq=5, ops=GOPS):
    run("gate/" + name, "Gate", dict(E={"e%d" % i for i in range(e)}, C={"c%d" % i for i in range(c)}, H={"h", "g"}, K=k,
        MaxTen=ten, MaxSeq=seq, Ops=ops), mut, expect, "G5 G6 G9 Faithful")

gate("plain", [], "", c=2, seq=4)
gate("stripes", [], "", k=1, seq=4)
gate("version-only-no-removal", ["VersionOnly", "FloorUnguarded"], "", ops=GOPS - {'"remove"'})
gate("remove", [], "", seq=6)
ONCE = {'"claim"', '"take"', '"once"'}
gate("once", [], "", c=2, k=1, seq=4, ops=ONCE)
gate("m-record-under-an-id-of-its-own", ["OwnRecord"], "G9", c=2, k=1, seq=4, ops=ONCE)
gate("m-record-not-looked-for", ["NoLook"], "G9", c=2, k=1, seq=4, ops=ONCE)
gate("m-holder-only", ["HolderOnly"], "G6")
gate("m-reads-or-blank", ["Blank"], "G6")
gate("m-fresh-token-on-retry", ["FreshToken"], "G6")
gate("m-stripes-left-alone", ["OneStripe"], "G6", k=1)
gate("m-claim-without-version", ["NoVersion"], "G5|Faithful", ops=GOPS - {'"remove"'})
gate("m-version-only", ["VersionOnly"], "Faithful|G5", seq=6)
gate("m-floor-unguarded", ["FloorUnguarded"], "G5", seq=6)
gate("m-no-floor", ["NoFloor"], "G5|Faithful", seq=6)

def outcome(name, mut, expect, e=2, log=4, term=1, stamp=3):
    run("outcome/" + name, "Outcome", dict(E={"e%d" % i for i in range(e)}, MaxLog=log, MaxTerm=term, MaxStamp=stamp),
        mut, expect, "Honest Faithful", e > 1)

outcome("plain", [], "")
outcome("m-resolved-by-lease-version", ["ByLease"], "Honest")
outcome("m-resolved-by-entry-time", ["ByTime"], "Honest")
outcome("m-later-majority-covers", ["Cover"], "Honest", e=1)
outcome("m-local-view", ["LocalRead"], "Faithful")
outcome("local-view-full-guard", ["LocalRead", "FullGuard"], "")
outcome("m-barrier-does-not-wait", ["NoBarrier"], "Honest")

QALL = "Mutex Backed NotEvicted TokUp Once Closed"
GG = {'"release"', '"grant"'}
def queue(name, mut, expect, w="ab", joined="ab", s=1, lo=1, hi=1, unit=1, offs=(1,), acc=4, ver=4, hb=1, nt=1, open=True,
          ops=(), invs=QALL):
    run("queue/" + name, "Queue", dict(W=set(w), S=s, Lo=lo, Hi=hi, Unit=unit, Offs=set(offs), MaxAcc=acc, MaxVer=ver,
        MaxHb=hb, NT=nt, Open=open, Joined=set(joined), Ops=GG | {'"%s"' % o for o in ops}), mut, expect, invs)

queue("still", [], "", acc=1, ver=4, hb=0, ops=("withdraw",))
queue("next", [], "", acc=1, ver=4, hb=0, ops=("withdraw", "next"))
queue("next-late", [], "", acc=1, ver=4, hb=0, ops=("late", "next"))
queue("late", [], "", acc=1, ver=4, hb=0, ops=("late",))
queue("late-deep", [], "", acc=1, ver=5, hb=0, ops=("late",))
queue("plain", [], "", acc=1, ver=4, hb=0, ops=("plain", "enqueue"), open=False)
queue("two-tickets", [], "", acc=1, ver=4, hb=0, nt=2)
queue("evict", [], "", acc=3, ver=3, hb=0, ops=("evict",))
queue("evict-next", [], "", acc=3, ver=3, hb=0, ops=("evict", "next"))
queue("evict-late", [], "", acc=3, ver=3, hb=0, ops=("evict", "late"))
queue("evict-beat", [], "", acc=3, ver=3, hb=1, ops=("evict",))
queue("evict-withdraw", [], "", acc=3, ver=3, hb=0, ops=("evict", "withdraw"))
queue("evict-back", [], "", acc=4, ver=4, hb=0, ops=("evict",))
queue("drift", [], "", acc=4, ver=3, hb=0, lo=1, hi=2, ops=("evict",))
queue("close", [], "", acc=2, ver=4, hb=0, ops=("close",))
queue("heir", [], "", w="abc", joined="a", acc=1, ver=3, hb=0, ops=("close",))
queue("stamps", [], "", s=2, offs=(1, 4), acc=5, ver=2, hb=0, ops=("evict", "lw"))
queue("three", [], "", w="abc", joined="abc", acc=1, ver=4, hb=0)
TT = "TokUp Once Closed"
queue("force", [], "", acc=1, ver=5, hb=0, ops=("force", "withdraw"), invs=TT)
queue("force-late", [], "", acc=1, ver=5, hb=0, ops=("force", "late", "next"), invs=TT)
queue("m-force-pair-guard", ["PairGuard"], "TokUp", acc=1, ver=6, hb=0, ops=("force", "late", "others"), invs=TT)
queue("m-force-hears-twice", ["HearTwice"], "Once", acc=1, ver=5, hb=0, ops=("force",), invs=TT)
queue("m-no-guard", ["NoGuard"], "Backed|Mutex", acc=1, ver=4, hb=0, invs="Mutex Backed")
queue("m-pair-guard", ["PairGuard"], "TokUp", acc=1, ver=5, hb=0, ops=("late",))
queue("m-pair-guard-others", ["PairGuard"], "TokUp", acc=1, ver=5, hb=0, ops=("late", "others"))      # no engine grants to itself
queue("m-pair-guard-evicted", ["PairGuard"], "TokUp", w="abc", acc=1, ver=5, hb=0, joined="abc", ops=("close", "others"))
queue("token-alone", ["TokenOnly"], "", acc=1, ver=4, hb=0, ops=("late",))
queue("m-holder-guard", ["HolderGuard"], "Backed|Mutex", acc=1, ver=6, hb=0, ops=("late",), invs="Mutex Backed")
queue("m-keeps-token", ["KeepToken"], "TokUp", acc=1, ver=4, hb=0)
queue("m-valid-after-release", ["ValidOn"], "Backed|Mutex", acc=1, ver=4, hb=0)
queue("m-any-ticket", ["AnyTicket"], "Backed|Mutex", acc=1, ver=5, hb=0, nt=2)
queue("m-hears-twice", ["HearTwice"], "Once|Backed|Mutex", acc=1, ver=4, hb=0)
queue("m-hears-withdrawn", ["HearWithdrawn"], "Closed", acc=1, ver=4, hb=0, ops=("withdraw",))
queue("m-unknown-counts-as-held", ["LearnReleased"], "Backed|Mutex", acc=1, ver=4, hb=0, ops=("late",))
queue("m-retracted", ["Retract"], "Backed|Mutex", acc=1, ver=4, hb=0)
queue("m-taken-unheard", ["TakeUnheard"], "Backed|Mutex", acc=1, ver=4, hb=0)
queue("m-replaces-open-grant", ["ReplaceOpen"], "Backed|Mutex", acc=1, ver=4, hb=0, ops=("next",))
queue("m-hearing-is-life", ["HearNow"], "NotEvicted|Backed|Mutex", acc=4, ver=4, hb=0, ops=("evict",))
queue("m-valid-from-reply", ["FromReply"], "NotEvicted|Backed|Mutex", acc=4, ver=3, hb=1, ops=("evict",))
queue("m-heard-by-next-writer", ["HearForHeir"], "NotEvicted|Backed|Mutex", w="abc", joined="a", acc=1, ver=4, hb=0, ops=("close",))
queue("m-releasers-stamp", ["ReleaserStamp"], "NotEvicted|Backed|Mutex", s=2, offs=(1, 4), acc=5, ver=2, hb=0, ops=("evict", "lw"))

def live(name, mut, expect, w="ab", nt=1, tok=8, die=0, drop=0, lossy=False, poll=False, ops=("unaware",), invs="NoStuck NoIdle Room",
         sym=True):
    run("live/" + name, "QueueLive", dict(W=set(w), NT=nt, MaxTok=tok, MaxDie=die, MaxDrop=drop, Lossy=lossy, Poll=poll,
        Ops={'"%s"' % o for o in ops}), mut, expect, invs, sym)

UN = ("unaware",)
UW = ("unaware", "withdraw")
WF = "Room\nPROPERTIES Wakes Settles"
live("plain", [], "", drop=1, tok=9)
live("aware", [], "", drop=1, tok=9, ops=())
live("withdraw", [], "", ops=UW)
live("withdraw-drop", [], "", drop=1, tok=9, ops=UW)
live("die", [], "", die=1, ops=UW + ("close",))
live("three", [], "", w="abc", die=1)
live("fair", [], "", drop=1, tok=9, ops=UW, invs=WF, sym=False)
live("fair-lossy", [], "", die=1, lossy=True, poll=True, invs=WF, sym=False)
live("fair-lossy-withdraw", [], "", lossy=True, poll=True, ops=UW, invs=WF, sym=False)
live("m-no-second-look", ["NoSecondLook"], "NoStuck")
live("m-withdrawn-without-look", ["WithdrawNoLook"], "NoIdle", ops=UW)
live("m-withdrawn-looks-once", ["WithdrawOneLook"], "NoIdle", ops=UW)
live("m-view-of-before", ["StaleView"], "NoIdle", ops=UW)
live("m-pull-before-push", ["PullEarly"], "NoIdle", nt=1, ops=UW)
live("m-release-without-pull", ["ReleaseWithoutPull"], "NoIdle")
live("m-sent-not-heard", ["SentNotHeard"], "Room", drop=1)
live("m-closed-kept", ["ClosedKept"], "NoIdle", ops=UW)
live("m-absent-held", ["AbsentHeld"], "NoStuck", w="abc", die=1)
live("m-not-resent", ["NoResend"], "NoIdle|NoStuck", drop=1)
live("m-head-only", ["HeadOnly"], "NoStuck", w="abc", die=1)
