// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./CourtAttackTest.sol";

/// @dev Attacks that nobody thought of: one side, its sponsor and its arbitrator try random calls at random times,
/// while the other side does the one simple thing that is right at each moment, and a judge rules as the work
/// deserves.
/// Answer: an honest worker is paid in full whatever the poster's side tries, and an honest poster has everything
/// back.
abstract contract RandomAdversary is CourtAttackTest {
    uint256 private constant STEPS = 24;
    /// @dev How many calls of the adversary went through, so that a run can be seen to do something.
    uint256 private moves;
    uint256 private seed;
    Wealth private sponsorThen;

    function setUp() public override {
        super.setUp();
        courtAs(rival).registerArbitrator(MIN_BOND, 0);
        sponsorThen = wealthOf(sponsor);
    }

    /// @dev The poster has good work and wants it for less. The worker answers at once and waits; it names nobody.
    function testFuzz_anHonestWorkerIsPaidInFull(uint256 dice, uint256 amount) public {
        seed = dice;
        uint96 worth = boundAmount(amount);
        uint256 taskId = deliveredWorth(worth);
        for (uint256 step = 0; step < STEPS && isOpen(taskId); ++step) {
            posterTries(taskId);
            if (!isOpen(taskId)) break;
            if (court.phaseOf(taskId) == Phase.ANSWERING && roll(3) != 0) answerWithBond(taskId, worker);
            if (court.phaseOf(taskId) == Phase.ESCALATED && roll(3) != 0) rule(taskId, WHOLE);
            pass();
            proceed(taskId, WHOLE);
        }
        finish(taskId, WHOLE);
        assertTrue(tokGain(worker, workerThen) >= int256(uint256(worth)), "the worker has all of D");
        assertTrue(posterNet() + net(sponsor, sponsorThen) <= 0, "poster and sponsor have won nothing");
    }

    /// @dev The worker has delivered junk and wants to be paid. The poster disputes at once and waits; it names
    /// nobody.
    function testFuzz_anHonestPosterHasEverythingBack(uint256 dice, uint256 amount) public {
        seed = dice;
        uint96 worth = boundAmount(amount);
        uint256 taskId = deliveredWorth(worth);
        for (uint256 step = 0; step < STEPS && isOpen(taskId); ++step) {
            workerTries(taskId);
            if (stateOf(taskId) == State.DELIVERED && roll(3) != 0) openDispute(taskId);
            if (stateOf(taskId) == State.POSTED) registryAs(poster).cancelTask(taskId);
            if (!isOpen(taskId)) break;
            if (court.phaseOf(taskId) == Phase.ESCALATED && roll(3) != 0) rule(taskId, 0);
            pass();
            if (stateOf(taskId) == State.DELIVERED) openDispute(taskId);
            proceed(taskId, 0);
        }
        finish(taskId, 0);
        assertTrue(tokGain(poster, posterThen) >= int256(uint256(worth)), "the poster has D and its bond");
        assertTrue(workerNet() + net(sponsor, sponsorThen) < 0, "worker and sponsor have lost");
    }

    // The adversaries

    function posterTries(uint256 taskId) private {
        uint256 move = roll(10);
        bytes32 digest = digestOf(taskId);
        uint64 deliveredAt = roll(2) == 0 ? type(uint64).max : taskOf(taskId).updatedAt;
        uint64 deadline = clock() + uint64(roll(400 days));
        bytes memory call;
        if (move <= 1) call = abi.encodeCall(registry.openDispute, (taskId, deliveredAt, move == 0, EVIDENCE, ""));
        else if (move == 2) call = abi.encodeCall(registry.dismissWorker, (taskId, digest));
        else if (move == 3) call = abi.encodeCall(registry.giveDismissNotice, (taskId, digest));
        else if (move == 4) call = abi.encodeCall(registry.cancelTask, (taskId));
        else if (move == 5) call = abi.encodeCall(registry.extendDeadline, (taskId, deadline));
        else return anyoneTries(taskId, poster, move);
        send(poster, address(registry), call);
    }

    function workerTries(uint256 taskId) private {
        uint256 move = roll(10);
        uint8 milestone = taskOf(taskId).milestone;
        uint64 deliveredAt = taskOf(taskId).updatedAt;
        bytes memory call;
        if (move == 0) call = abi.encodeCall(registry.submitProof, (taskId, milestone, PROOF, ""));
        else if (move == 1) call = abi.encodeCall(registry.leaveTask, (taskId, State.DELIVERED));
        else if (move == 2) call = abi.encodeCall(registry.completeTask, (taskId, digestOf(taskId)));
        else if (move == 3) call = abi.encodeCall(registry.acceptMilestone, (taskId, milestone, deliveredAt));
        else if (move <= 5) call = abi.encodeCall(court.answerDispute, (taskId, move == 4, EVIDENCE, ""));
        else return anyoneTries(taskId, worker, move);
        send(worker, move <= 3 ? address(registry) : address(court), call);
    }

    /// @dev A sponsor, an arbitrator of the adversary, signatures that nobody gave, and concessions in any phase.
    function anyoneTries(uint256 taskId, address party, uint256 move) private {
        address from = party;
        bytes memory call;
        if (move == 6) {
            from = sponsor;
            call = abi.encodeCall(court.answerDispute, (taskId, true, 0, ""));
        } else if (move == 7) {
            call = abi.encodeCall(court.proposeArbitrator, (taskId, roll(2) == 0 ? rival : sponsor));
        } else if (move == 8) {
            from = roll(2) == 0 ? rival : party;
            call = abi.encodeCall(court.resolveDispute, (taskId, party == worker ? WHOLE : 0, REASON, ""));
        } else if (roll(4) == 0) {
            call = abi.encodeCall(court.concede, (taskId, court.phaseOf(taskId)));
        } else {
            bytes32 digest = registry.hashSettlement(taskId, 5_000, clock());
            bytes memory forged = signWith(party == worker ? workerKey : posterKey, digest);
            call = abi.encodeCall(court.mutualSettle, (taskId, 5_000, clock(), forged, forged));
        }
        send(from, address(court), call);
    }

    function send(address from, address to, bytes memory call) private {
        vm.prank(from);
        (bool done, ) = to.call(call);
        if (done) ++moves;
    }

    // Time and the keeper

    /// @dev Never so long that an honest side could miss its window.
    function pass() private {
        skip(roll(30 hours));
    }

    /// @dev Anyone ends what is over; an answer in time was given by then, and a judge is quicker than its window.
    function proceed(uint256 taskId, uint16 truth) private {
        if (!isOpen(taskId)) return;
        Phase phase = court.phaseOf(taskId);
        if (phase == Phase.ANSWERING && truth == WHOLE && nearlyOver(taskId)) answerWithBond(taskId, worker);
        else if (phase == Phase.ANSWERING && clock() > court.disputeOf(taskId).phaseEnds) court.resolveTimedOut(taskId);
        else if (phase == Phase.PROPOSING && clock() > court.disputeOf(taskId).phaseEnds) court.escalate(taskId);
        else if (phase == Phase.ESCALATED && nearlyOver(taskId)) rule(taskId, truth);
    }

    function nearlyOver(uint256 taskId) private view returns (bool) {
        return clock() + 2 days > court.disputeOf(taskId).phaseEnds;
    }

    /// @dev When the dice are used up, time and the honest side end the case.
    function finish(uint256 taskId, uint16 truth) private {
        for (uint256 turn = 0; turn < 12 && isOpen(taskId); ++turn) {
            Phase phase = court.phaseOf(taskId);
            if (stateOf(taskId) == State.DELIVERED) {
                if (truth == 0) openDispute(taskId);
                else {
                    skip(REVIEW + 1);
                    registry.resolveTimedOut(taskId);
                }
            } else if (phase == Phase.ANSWERING) {
                if (truth == WHOLE) answerWithBond(taskId, worker);
                else lapse(taskId);
            } else if (phase == Phase.PROPOSING) {
                vm.warp(court.disputeOf(taskId).phaseEnds + 1);
                court.escalate(taskId);
            } else if (phase == Phase.ESCALATED) {
                rule(taskId, truth);
            }
        }
        assertFalse(isOpen(taskId), "the task has ended");
    }

    function isOpen(uint256 taskId) private view returns (bool) {
        State state = stateOf(taskId);
        return state == State.POSTED || state == State.DELIVERED || state == State.DISPUTED;
    }

    function roll(uint256 sides) private returns (uint256) {
        seed = uint256(keccak256(abi.encode(seed)));
        return seed % sides;
    }
}

contract RandomAdversaryStandardTest is RandomAdversary {}

contract RandomAdversaryMicroTest is OnMicro, RandomAdversary {}
