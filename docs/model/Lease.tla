------------------------------- MODULE Lease -------------------------------
(* Term leases (specification sections 2 to 6): one clock document, one lease  *)
(* document, engines whose clocks drift, may be asleep, and are read in whole  *)
(* units only.  An operation is decided from a possibly stale view at a stamp  *)
(* and runs later as one guarded atomic transaction; its reply may be lost.    *)
(* `Mut` plants faults; Mut = {} is the specification.                         *)
EXTENDS Integers, TLC
CONSTANTS W, H, Durs,          \* engines (incarnations), holders, durations
          Lo, Hi, Unit,        \* slowest/fastest clock per true tick; parts per unit read
          Offs, MaxAcc,        \* first clock values; horizon
          MaxVer, MaxSleep, MaxCrash,
          Looks,               \* whether engines look at the clock document alone, and so have sights of writers
          Ops,                 \* operations in play
          Mut

None == "-"
m(x) == x \in Mut
Max(a, b) == IF a > b THEN a ELSE b

VARIABLES acc,    \* monotonic clock of each engine, in parts
          slept,  \* parts by which its wall clock is ahead of that (suspends)
          up, ck, doc,
          view,   \* last document seen and the best observation for its version
          sight,  \* of each other writer: the newest stamp seen, and its first sight
          pend,   \* the transaction in flight
          bel,    \* beliefs: token and end by either clock
          crashes, bad
Sym == Permutations(W) \cup Permutations(H)
vars == <<acc, slept, up, ck, doc, view, sight, pend, bel, crashes, bad>>

Now(w)  == acc[w] \div Unit
Wall(w) == (acc[w] + slept[w]) \div Unit

NoView == [d |-> [h |-> None, tok |-> 0, ver |-> -1, w |-> None, wr |-> 0, ex |-> 0],
           rb |-> 0, lw |-> 0]
NoSight == [rb |-> 0, lw |-> 0]
NoPend == [st |-> "no"]
NoBel  == [tok |-> 0, u |-> 0, uw |-> 0]

(* starts with a lease that one engine has just claimed, for any duration, and knows of *)
Init == /\ acc \in [W -> Offs]
        /\ slept = [w \in W |-> 0]
        /\ up = [w \in W |-> TRUE]
        /\ crashes = 0 /\ bad = {}
        /\ pend = [w \in W |-> NoPend]
        /\ sight = [w \in W |-> [v \in W |-> NoSight]]
        /\ \E a \in W, h \in H, dur \in Durs : LET n == acc[a] \div Unit IN
             /\ doc = [h |-> h, tok |-> 1, ver |-> 1, w |-> a, wr |-> n, ex |-> n + dur]
             /\ ck = [w \in W |-> IF w = a THEN n ELSE 0]
             /\ view = [w \in W |-> IF w = a THEN [NoView EXCEPT !.d = doc] ELSE NoView]
             /\ bel = [w \in W |-> [g \in H |-> IF w = a /\ g = h
                                              THEN [tok |-> 1, u |-> n + dur, uw |-> n + dur]
                                              ELSE NoBel]]

Live(b, now, wall) == IF m("BeliefLE") THEN b.u > 0 /\ now <= b.u /\ wall <= b.uw
                      ELSE now < b.u /\ (wall < b.uw \/ m("MonoOnly"))
Believes(w, h) == up[w] /\ Live(bel[w][h], Now(w), Wall(w))

(* x units of another clock, at worst, on mine *)
Scale(x) == IF m("NoDrift") THEN x ELSE (x * Hi + Lo - 1) \div Lo
Safe(rb, lw, x) == IF x < lw THEN rb ELSE rb + Scale(x - lw)
SafeOf(v) == Safe(v.rb, v.lw, v.d.ex)

(* one true tick: every clock advances by its own rate, a sleeper's only by the wall *)
Tick == \E inc \in [W -> {Lo, Hi}] : \E zz \in SUBSET W :
  /\ \A w \in zz : slept[w] + inc[w] <= MaxSleep
  /\ \A w \in W : acc[w] + inc[w] <= MaxAcc
  /\ acc' = [w \in W |-> IF w \in zz THEN acc[w] ELSE acc[w] + inc[w]]
  /\ slept' = [w \in W |-> IF w \in zz THEN slept[w] + inc[w] ELSE slept[w]]
  /\ bel' = [w \in W |-> [h \in H |->
               IF Live(bel[w][h], acc'[w] \div Unit, (acc'[w] + slept'[w]) \div Unit)
               THEN bel[w][h] ELSE NoBel]]
  /\ UNCHANGED <<up, ck, doc, view, sight, pend, crashes, bad>>

(* A sight: by any read of the clock document, w's clock being at t after it.  An older stamp changes nothing. *)
Seen(s, stamp, t) == IF stamp > s.lw \/ s.rb = 0 THEN [rb |-> t, lw |-> stamp] ELSE s
(* a look at the clock document alone; also for leases that were never read.  A read during which the clock went *)
(* back seems to have ended earlier than it did: it proves nothing                                             *)
Look(w) ==
  /\ Looks /\ up[w]
  /\ \E v \in W \ {w}, back \in (IF m("BackSight") THEN 0..2 ELSE {0}) :
       /\ ck[v] > 0 /\ Now(w) - back > 0
       /\ sight' = [sight EXCEPT ![w][v] = Seen(@, ck[v], Now(w) - back)]
  /\ sight' # sight
  /\ UNCHANGED <<acc, slept, up, ck, doc, view, pend, bel, crashes, bad>>

(* the sight that bounds what v wrote at `wr`: none from before it, since v may have been suspended between *)
SightOf(w, v, wr) == LET of == IF m("OldIncarnation")   \* the newest of the same machine, as if W were one writer
                               THEN CHOOSE s \in {sight[w][u] : u \in W \ {w}} :
                                      \A u \in W \ {w} : sight[w][u].lw <= s.lw
                               ELSE sight[w][v]
                     IN IF of.rb > 0 /\ (of.lw >= wr \/ m("OldSight")) THEN of ELSE NoSight

(* the read at its fastest: RB is the instant of the snapshot (later is only safer) *)
Read(w) ==
  /\ up[w] /\ pend[w].st = "no"
  /\ \E r \in (IF m("RA") THEN 0..2 ELSE {0}) :
     LET old == view[w]
         lw == IF doc.h = None \/ doc.w = w THEN 0 ELSE Max(ck[doc.w], doc.wr)
         rb == IF doc.h = None \/ doc.w = w THEN 0 ELSE Now(w) - r
         keep == \/ old.d.ver = doc.ver
                 \/ m("OldObs") /\ old.d.w = doc.w /\ old.rb > 0 /\ rb > 0
         better == keep /\ Safe(old.rb, old.lw, doc.ex) <= Safe(rb, lw, doc.ex)
         b == IF better THEN [rb |-> old.rb, lw |-> old.lw] ELSE [rb |-> rb, lw |-> lw]
         s == IF rb = 0 THEN NoSight ELSE SightOf(w, doc.w, doc.wr)
         best == IF s.rb > 0 /\ Safe(s.rb, s.lw, doc.ex) < Safe(b.rb, b.lw, doc.ex) THEN s ELSE b
     IN /\ view' = [view EXCEPT ![w] = [d |-> doc, rb |-> best.rb, lw |-> best.lw]]
        /\ sight' = IF Looks /\ rb > 0 THEN [sight EXCEPT ![w][doc.w] = Seen(@, lw, Now(w))] ELSE sight
  /\ view' # view
  /\ UNCHANGED <<acc, slept, up, ck, doc, pend, bel, crashes, bad>>

Send(w, op, h, dur, nd, b) ==
  /\ pend' = [pend EXCEPT ![w] = [st |-> "sent", op |-> op, h |-> h, s |-> Now(w),
                                  wall |-> Wall(w), dur |-> dur, nd |-> nd]]
  /\ bel' = b
  /\ UNCHANGED <<acc, slept, up, ck, doc, view, sight, crashes, bad>>

Ready(w) == up[w] /\ pend[w].st = "no" /\ view[w].d.ver >= 0 /\ view[w].d.ver < MaxVer

Claim(w) == LET d == view[w].d IN
  /\ "claim" \in Ops /\ Ready(w) /\ d.h = None
  /\ \E h \in H, dur \in Durs :
       Send(w, "claim", h, dur, [h |-> h, tok |-> d.tok + 1, ver |-> d.ver + 1, w |-> w,
                                 wr |-> Now(w), ex |-> Now(w) + dur], bel)

Passed(w) == LET v == view[w]
                 lim == IF v.d.w = w THEN v.d.ex ELSE SafeOf(v)
             IN IF m("GE") THEN Now(w) >= lim ELSE Now(w) > lim

Expire(w) == LET d == view[w].d IN
  /\ "expire" \in Ops /\ Ready(w) /\ d.h # None /\ Passed(w)
  /\ Send(w, "expire", None, 0, [d EXCEPT !.h = None, !.ver = @ + 1, !.w = w, !.wr = Now(w),
                                          !.ex = 0], bel)

TakeOver(w) == LET d == view[w].d IN
  /\ "take" \in Ops /\ Ready(w) /\ d.h # None /\ Passed(w)
  /\ \E h \in H, dur \in Durs :
       Send(w, "take", h, dur, [h |-> h, tok |-> d.tok + 1, ver |-> d.ver + 1, w |-> w,
                                wr |-> Now(w), ex |-> Now(w) + dur], bel)

(* at worst on my clock; one unit more, since only "now > safe after" proves anything *)
Pad(w) == LET v == view[w] IN
  IF v.d.w = w THEN v.d.ex
  ELSE IF m("PadNone") THEN 0
  ELSE IF m("PadNoDrift") THEN v.rb + Max(0, v.d.ex - v.lw) + 1
  ELSE IF m("PadSafe") THEN SafeOf(v)
  ELSE SafeOf(v) + 1

(* of two beliefs in one tenure the one of which more is left, never a mixture *)
Min(a, b) == IF a < b THEN a ELSE b
Left(b, now, wall) == Min(b.u - now, b.uw - wall)
Grow(b, tok, u, uw, now, wall) ==
  LET new == [tok |-> tok, u |-> u, uw |-> uw] IN
  IF b.tok = tok /\ Left(b, now, wall) >= Left(new, now, wall) THEN b ELSE new

(* no write: the last writer is this very engine, and the stored expiry and, by both clocks, *)
(* what is left of the belief in this tenure cover the duration                             *)
Quick(w, dur) == LET v == view[w]  b == bel[w][v.d.h] IN
  \/ /\ v.d.w = w /\ Now(w) + dur <= v.d.ex
     /\ m("QuickMono") \/ (b.tok = v.d.tok /\ dur <= Left(b, Now(w), Wall(w)))
  \/ m("Earliest") /\ v.d.w # w /\ Now(w) + dur <= v.rb + (v.d.ex - v.lw)

Extend(w) == LET d == view[w].d IN
  /\ "extend" \in Ops /\ Ready(w) /\ d.h # None
  /\ \E dur \in Durs :
     IF Quick(w, dur)
     THEN /\ bel' = [bel EXCEPT ![w][d.h] = Grow(@, d.tok, Now(w) + dur, Wall(w) + dur, Now(w), Wall(w))]
          /\ bel' # bel
          /\ UNCHANGED <<acc, slept, up, ck, doc, view, sight, pend, crashes, bad>>
     ELSE Send(w, "extend", d.h, dur,
               [d EXCEPT !.ver = @ + 1, !.wr = Now(w), !.w = IF m("KeepWriter") THEN @ ELSE w,
                         !.ex = Max(Now(w) + dur, Pad(w))], bel)

Release(w) == LET d == view[w].d IN
  /\ "release" \in Ops /\ Ready(w) /\ d.h # None
  /\ \/ m("RelOther")   \* the caller's duty: nothing else acts for the holder any more
     \/ bel[w][d.h].tok = d.tok /\ \A v \in W \ {w} : ~Believes(v, d.h) /\ pend[v].st = "no"
  /\ Send(w, "release", d.h, 0, [d EXCEPT !.h = None, !.ver = @ + 1, !.w = w, !.wr = Now(w),
                                          !.ex = 0], [bel EXCEPT ![w][d.h] = NoBel])

(* The guarded transaction.  Its answer, if it comes, comes at once: a later one can only  *)
(* form a shorter belief, as beliefs count from the stamp.  Lost or missed: the view stays. *)
Exec(w) == LET p == pend[w]
               guard == IF m("NoVer") /\ p.op = "claim" THEN doc.h = None
                        ELSE doc.ver = p.nd.ver - 1
               \* a sight tells by the stamp which write it is of, so no two writes have the same one
               hit == guard /\ (ck[w] < p.s \/ (ck[w] = p.s /\ ~Looks))
               s == IF m("FromReply") THEN Now(w) ELSE p.s
               sw == IF m("FromReply") THEN Wall(w) ELSE p.wall
  IN
  /\ p.st = "sent"
  /\ IF hit
     THEN /\ doc' = p.nd /\ ck' = [ck EXCEPT ![w] = p.s]
          /\ bad' = bad
              \cup (IF p.op \in {"expire", "take"} /\ slept[doc.w] = 0 /\ Now(doc.w) < doc.ex
                    THEN {"G3"} ELSE {})
              \cup (IF p.s < ck[w] THEN {"G4"} ELSE {})
              \cup (IF p.nd.tok < doc.tok \/ (p.op \in {"claim", "take"} /\ p.nd.tok = doc.tok)
                    THEN {"G5"} ELSE {})
     ELSE UNCHANGED <<doc, ck, bad>>
  /\ \E got \in {TRUE, FALSE} :
     IF hit /\ got /\ up[w]
     THEN /\ view' = [view EXCEPT ![w] = [d |-> p.nd, rb |-> 0, lw |-> 0]]
          /\ bel' = IF p.op \in {"claim", "take", "extend"}
                    THEN LET g == Grow(bel[w][p.h], p.nd.tok, s + p.dur, sw + p.dur, Now(w), Wall(w))
                         IN [bel EXCEPT ![w][p.h] = IF Live(g, Now(w), Wall(w)) THEN g ELSE NoBel]
                    ELSE bel
     ELSE UNCHANGED <<view, bel>>
  /\ pend' = [pend EXCEPT ![w] = NoPend]
  /\ UNCHANGED <<acc, slept, up, sight, crashes>>

(* a crashed engine never acts again (a restart is another member of W), but what it sent may land *)
Crash(w) == /\ up[w] /\ crashes < MaxCrash /\ crashes' = crashes + 1
            /\ bel' = [bel EXCEPT ![w] = [h \in H |-> NoBel]]
            /\ view' = [view EXCEPT ![w] = NoView]
            /\ sight' = [sight EXCEPT ![w] = [v \in W |-> NoSight]]
            /\ pend' = IF pend[w].st = "sent" THEN pend ELSE [pend EXCEPT ![w] = NoPend]
            /\ up' = [up EXCEPT ![w] = FALSE] /\ UNCHANGED acc
            /\ UNCHANGED <<slept, ck, doc, bad>>

Next == \/ Tick
        \/ \E w \in W : \/ Look(w) \/ Read(w) \/ Claim(w) \/ Expire(w) \/ TakeOver(w) \/ Extend(w)
                        \/ Release(w) \/ Exec(w) \/ Crash(w)
Spec == Init /\ [][Next]_vars

G3 == "G3" \notin bad
G4 == "G4" \notin bad
G5 == "G5" \notin bad
Promise == \A w \in W, h \in H : Believes(w, h) => doc.h = h /\ doc.tok = bel[w][h].tok
Mutex == \A w, v \in W, h, g \in H : h # g => ~(Believes(w, h) /\ Believes(v, g))
=============================================================================
