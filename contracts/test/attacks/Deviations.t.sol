// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./CourtAttackTest.sol";

/// @dev Every move that poster and worker can make from a delivery on, played to its end, when the judge rules as the
/// work deserves. The table "Most profitable deviations" in docs/security.md states what is computed here. Figures
/// are results since the delivery, with D in escrow; the access fees of both sides were paid before.
abstract contract Deviations is CourtAttackTest {
    /// @dev How the worker's side answers, and how the case ends after that.
    enum Answer {
        NONE,
        WITHOUT_BOND,
        WITH_BOND
    }
    enum End {
        RULED_BY_FALLBACK,
        RULED_BY_ARBITRATOR,
        POSTER_CONCEDES,
        WORKER_CONCEDES,
        BEFORE_JUDGE_POSTER,
        BEFORE_JUDGE_WORKER
    }

    /// @dev The poster against good work: accepting costs it nothing more, every dispute costs it.
    function test_noDisputeOfGoodWorkIsBetterThanAcceptingIt() public atEveryAmount {
        int256 accepted = acceptedNet(atStake);
        for (uint8 answer = 1; answer <= 2; ++answer) {
            for (uint8 end = 0; end <= 4; ++end) {
                if (!possible(Answer(answer), End(end)) || End(end) == End.WORKER_CONCEDES) continue;
                uint256 snapshot = vm.snapshotState();
                play(atStake, Answer(answer), End(end), WHOLE);
                assertTrue(posterNet() < accepted, "the poster does worse");
                assertTrue(
                    tokGain(worker, workerThen) >= int256(uint256(atStake)) - feeOf(atStake),
                    "the worker loses F at most"
                );
                if (Answer(answer) == Answer.WITH_BOND) {
                    assertTrue(workerNet() > int256(uint256(atStake)), "with a bond it is better off than before");
                }
                vm.revertToState(snapshot);
            }
        }
    }

    /// @dev The worker with junk: every move after the dispute costs it its collateral at least, and the poster
    /// nothing.
    function test_noMoveAfterJunkWasDisputedIsBetterThanGivingUp() public atEveryAmount {
        for (uint8 answer = 0; answer <= 2; ++answer) {
            for (uint8 end = 0; end <= 5; ++end) {
                if (!possible(Answer(answer), End(end))) continue;
                if (End(end) == End.POSTER_CONCEDES || End(end) == End.BEFORE_JUDGE_POSTER) continue;
                uint256 snapshot = vm.snapshotState();
                play(atStake, Answer(answer), End(end), 0);
                assertTrue(workerNet() <= inTok(0, -collateral()), "it costs the collateral at least");
                assertTrue(tokGain(poster, posterThen) >= int256(uint256(atStake)), "the poster has D and F back");
                assertTrue(posterNet() > int256(uint256(atStake)), "and the worker's collateral besides");
                vm.revertToState(snapshot);
            }
        }
    }

    /// @dev Giving in never gets cheaper by waiting for the next phase, for either side.
    function test_givingInEarlierIsNeverMoreExpensive() public atEveryAmount {
        for (uint256 side = 0; side < 2; ++side) {
            int256 before = type(int256).max;
            for (uint256 phase = 0; phase < 4; ++phase) {
                uint256 snapshot = vm.snapshotState();
                uint256 taskId =
                    phase == 0
                        ? disputedWorth(atStake)
                        : phase == 1
                            ? answeredWorth(atStake)
                            : phase == 2
                                ? assignedWorth(atStake)
                                : escalatedWorth(atStake);
                concede(side == 0 ? poster : worker, taskId);
                int256 result = side == 0 ? posterNet() : workerNet();
                assertTrue(result <= before, "not cheaper than in the phase before");
                before = result;
                vm.revertToState(snapshot);
            }
        }
    }

    /// @dev In front of a judge, giving in is worth as much as losing: nobody gains by reading the judge's mind.
    function test_concedingToAJudgeIsWorthALostRuling() public atEveryAmount {
        uint256 snapshot = vm.snapshotState();
        play(atStake, Answer.WITH_BOND, End.RULED_BY_FALLBACK, WHOLE);
        int256 posterLost = posterNet();
        vm.revertToState(snapshot);
        snapshot = vm.snapshotState();
        play(atStake, Answer.WITH_BOND, End.POSTER_CONCEDES, WHOLE);
        assertEq(posterNet(), posterLost);
        vm.revertToState(snapshot);
        snapshot = vm.snapshotState();
        play(atStake, Answer.WITH_BOND, End.RULED_BY_FALLBACK, 0);
        int256 workerLost = workerNet();
        vm.revertToState(snapshot);
        play(atStake, Answer.WITH_BOND, End.WORKER_CONCEDES, 0);
        assertEq(workerNet(), workerLost);
    }

    /// @dev Work that is worth a share: settling at that share before a judge is in office leaves both with more than
    /// any ruling, by F together. So two sides that know the outcome do not need the court.
    function testFuzz_settlingAtTheExpectedShareIsBetterForBothThanARuling(uint256 amount, uint16 workerBps) public {
        uint96 worth = boundAmount(amount);
        workerBps = uint16(bound(workerBps, 100, WHOLE - 100));
        uint256 snapshot = vm.snapshotState();
        uint256 taskId = answeredWorth(worth);
        settle(taskId, workerBps);
        (int256 posterSettled, int256 workerSettled) = (posterNet(), workerNet());
        vm.revertToState(snapshot);
        play(worth, Answer.WITH_BOND, End.RULED_BY_FALLBACK, workerBps);
        assertTrue(posterNet() < posterSettled && workerNet() < workerSettled);
        assertEq(posterSettled + workerSettled - posterNet() - workerNet(), feeOf(worth));
    }

    /// @dev Two wallets of one person can play whatever they like: together they never have more than D.
    function testFuzz_posterAndWorkerTogetherNeverGain(
        uint256 amount,
        uint8 answer,
        uint8 end,
        uint16 workerBps
    ) public {
        uint96 worth = boundAmount(amount);
        answer %= 3;
        end %= 6;
        vm.assume(possible(Answer(answer), End(end)));
        play(worth, Answer(answer), End(end), uint16(bound(workerBps, 0, WHOLE)));
        assertTrue(posterNet() + workerNet() <= int256(uint256(worth)));
    }

    /// @dev None of a worker's ways out of junk is a gain. Leaving costs the fee, which the specification asks for, and
    /// half of the collateral; silence all of it. Conceding before a judge is in office counts as having left.
    function test_theWorkersWaysOutCostTheCollateralAtLeast() public atEveryAmount {
        uint256 snapshot = vm.snapshotState();
        uint256 taskId = deliveredWorth(atStake);
        leaveTask(taskId);
        assertEq(workerNet(), inTok(-int256(uint256(FEE)), -collateral() / 2));
        assertEq(scoreOf(worker), -3);
        vm.revertToState(snapshot);
        snapshot = vm.snapshotState();
        taskId = disputedWorth(atStake);
        concede(worker, taskId);
        assertEq(workerNet(), inTok(0, -collateral()));
        assertEq(scoreOf(worker), -3);
        vm.revertToState(snapshot);
        lapse(disputedWorth(atStake));
        assertEq(workerNet(), inTok(0, -collateral()));
        assertEq(scoreOf(worker), -10);
    }

    function acceptedNet(uint96 amount) private returns (int256 result) {
        uint256 snapshot = vm.snapshotState();
        accept(deliveredWorth(amount));
        result = posterNet();
        assertEq(result, 0);
        vm.revertToState(snapshot);
    }

    /// @dev Without an answer the case ends in ANSWERING; without a bond no arbitrator is assigned.
    function possible(Answer answer, End end) private pure returns (bool) {
        if (answer == Answer.NONE) return end != End.RULED_BY_ARBITRATOR && end < End.BEFORE_JUDGE_POSTER;
        if (answer == Answer.WITHOUT_BOND) return end != End.RULED_BY_ARBITRATOR && end < End.BEFORE_JUDGE_POSTER;
        return true;
    }

    function play(uint96 amount, Answer answer, End end, uint16 workerBps) private {
        uint256 taskId = disputedWorth(amount);
        if (answer == Answer.NONE) {
            if (end == End.RULED_BY_FALLBACK) return lapse(taskId);
            return concede(end == End.POSTER_CONCEDES ? poster : worker, taskId);
        }
        if (answer == Answer.WITHOUT_BOND) answerWithoutBond(taskId);
        else answerWithBond(taskId, worker);
        if (end == End.BEFORE_JUDGE_POSTER) return concede(poster, taskId);
        if (end == End.BEFORE_JUDGE_WORKER) return concede(worker, taskId);
        if (end == End.RULED_BY_ARBITRATOR) agree(taskId, arbitrator);
        if (court.phaseOf(taskId) == Phase.PROPOSING) {
            skip(3 days + 1);
            court.escalate(taskId);
        }
        if (end == End.POSTER_CONCEDES) return concede(poster, taskId);
        if (end == End.WORKER_CONCEDES) return concede(worker, taskId);
        rule(taskId, workerBps);
    }
}

contract DeviationsStandardTest is Deviations {}

contract DeviationsMicroTest is OnMicro, Deviations {}
